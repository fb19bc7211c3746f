// Wide characters, as text and one by one.
#include <cosm/mark.h>
#include <stddef.h>
#include <stdint.h>
#include <uchar.h>
typedef wchar_t letter;
typedef struct COSM_COMPONENT() Title {
    wchar_t text[16];
    letter first;
    char16_t code;
} Title;
