// Marks without the header that defines them.
typedef struct COSM_COMPONENT() Position { float x, y; } Position;
