// Texts: full rooms, several lines, letters that need escapes.
#include <cosm/mark.h>
typedef struct COSM_COMPONENT(layout = split) Words {
    char full[3] COSM_FIELD(default = "abc");
    char shorter[8] COSM_FIELD(default = "a\"\\\n?");
    char lines[2][4] COSM_FIELD(default = {"one", "four"});
    char bytes[4] COSM_FIELD(default = {1, 0, -1, '\''});
    char odd[8] COSM_FIELD(default = "\x01" "1\377");
    char zero[4] COSM_FIELD(default = "");
} Words;
