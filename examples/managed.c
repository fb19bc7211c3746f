// Managed components: names on the heap, which the world owns and frees.
#include <cosm/cosm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Name {
    char *text;
} Name;

static int names_alive;

static bool name_copy(void *context, void *object, const void *source) {
    (void)context;
    const char *text = ((const Name *)source)->text;
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, text, size);
    ((Name *)object)->text = copy;
    names_alive++;
    return true;
}

static void name_destroy(void *context, void *object) {
    (void)context;
    free(((Name *)object)->text);
    names_alive--;
}

static void show(void *context, const cosm_managed_entry *entry) {
    (void)context;
    printf("  entity %u has '%s'\n", entry->entity.id, ((const Name *)entry->object)->text);
}

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component name = cosm_component_define(
        engine, &(cosm_component_desc){.name = "Name",
                                       .size = sizeof(Name),
                                       .storage = COSM_STORAGE_MANAGED,
                                       .lifecycle = {.copy = name_copy, .destroy = name_destroy}});
    cosm_component asleep = COSM_TAG_DEFINE(engine, Asleep);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);

    // A value of a managed component is an object, and the world copies it.
    cosm_entity tom = COSM_SPAWN(world, COSM_VALUE(Name, "Tom"));
    cosm_entity kit = COSM_SPAWN(world, COSM_DEFAULT(Name)); // without a name
    printf("%d name\n", names_alive);

    cosm_result result = cosm_entity_set(world, tom, name, &(Name){"Thomas"}); // "Tom" ends here
    if (result == COSM_OK) {
        result = cosm_entity_set(world, kit, name, &(Name){"Kit"});
    }
    if (result == COSM_OK) {
        result = cosm_entity_add(world, tom, asleep); // to another table; the object stays
    }
    printf("%d names, and %s is asleep\n", names_alive, COSM_READ(world, tom, Name)->text);

    if (result == COSM_OK) {
        result = cosm_managed_audit(batch, show, NULL);
    }
    if (result == COSM_OK) {
        result = cosm_entity_despawn(world, tom);
    }
    printf("%d name\n", names_alive);
    cosm_batch_destroy(batch); // ends the last one
    cosm_engine_destroy(engine);
    printf("%d names\n", names_alive);
    return result == COSM_OK ? 0 : 1;
}
