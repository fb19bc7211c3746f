// Names that meet once they are generated.
#include <cosm/mark.h>
struct Item { int count; };
typedef struct COSM_COMPONENT() Bag {
    struct Item items[2];
    int items_1_count;
    int read;
} Bag;
typedef struct COSM_COMPONENT() Bag_field { int read; } Bag_field;
typedef struct COSM_COMPONENT() Hat { int size; } Hat;
extern int Hat_read(void);
enum { Hat_field_size = 7 };
typedef struct COSM_COMPONENT() cosm { int field; } cosm;
