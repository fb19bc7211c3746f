// What does not go together, and functions that are not there.
#include <cosm/mark.h>
#include <stdbool.h>
#include <stdint.h>
bool copy(void *context, void *object, const void *source);
void copy_wrong(void *object, const void *source);
void move(void *context, void *object, void *source);
void destroy(void *context, void *object);
bool equals(void *context, const void *a, const void *b);
uint64_t hash(void *context, const void *object);
extern int variable;
typedef struct COSM_COMPONENT(layout = split, storage = shared) A { int x; } A;
typedef struct COSM_COMPONENT(storage = sector, changes = rows) B { int x; } B;
typedef struct COSM_COMPONENT(copy = copy, destroy = destroy) C { int x; } C;
typedef struct COSM_COMPONENT(storage = shared, equals = equals) D { int x; } D;
typedef struct COSM_COMPONENT(storage = shared, hash = hash) E { int x; } E;
typedef struct COSM_COMPONENT(storage = shared, construct = destroy, move = move) F { int x; } F;
typedef struct COSM_COMPONENT(storage = managed, copy = nowhere, destroy = variable) G { int x; } G;
typedef struct COSM_COMPONENT(storage = managed, copy = &copy, destroy = "destroy") H { int x; } H;
typedef struct COSM_COMPONENT(storage = managed, copy = copy_wrong, hash = equals,
                              equals = equals) I { int x; } I;
typedef struct COSM_COMPONENT(group = fire) J { int x; } J;
typedef struct COSM_COMPONENT(storage = sector, group = "fire") K { int x; } K;
typedef struct COSM_COMPONENT(storage = sector, group = 2nd, changes = often) L { int x; } L;
typedef struct COSM_COMPONENT(storage = sectors, group = fire, copy = copy) M { int x; } M;
typedef struct COSM_COMPONENT(storage = managed) N {
    char *text COSM_FIELD(unit = "m");
    union { int i; float f; } either;
} N;
typedef struct COSM_COMPONENT(storage = shared, equals = equals, hash = hash) O { char *text; } O;
typedef struct COSM_SINGLETON(storage = managed) P { int x; } P;
