// Sorting the rows of a table: by a number in a component, or by any key. Sorts are stable, and
// every entity is still found by its handle.
#include <cosm/cosm.h>
#include <stdio.h>

typedef struct Card {
    uint32_t suit, rank;
} Card;

static uint64_t backwards(void *context, cosm_entity entity, const void *value) {
    (void)context;
    (void)entity;
    return UINT64_MAX - ((const Card *)value)->rank;
}

static void show(const char *title, cosm_world world, cosm_archetype archetype,
                 cosm_component component) {
    const Card *card = cosm_table_column(world, archetype, component);
    printf("%-18s", title);
    for (uint32_t i = 0; i < cosm_table_row_count(world, archetype); i++) {
        printf(" %c%u", "CDHS"[card[i].suit], card[i].rank);
    }
    printf("\n");
}

int main(void) {
    static const Card dealt[] = {{2, 7}, {0, 9}, {3, 7}, {0, 2}, {2, 4}, {3, 9}};
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_component card = COSM_COMPONENT_DEFINE(engine, Card, suit, rank);
    cosm_archetype hand = cosm_archetype_define(engine, &(cosm_archetype_desc){.text = "Card"});
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_world world = cosm_batch_world(batch, 0);
    cosm_entity cards[6];
    for (uint32_t i = 0; i < 6; i++) {
        cards[i] = COSM_SPAWN(world, COSM_VALUE(Card, dealt[i].suit, dealt[i].rank));
    }
    show("as dealt", world, hand, card);

    // Within a suit the ranks are in order, because the first sort is kept by the second.
    cosm_result result = cosm_table_sort_u32(world, hand, card, offsetof(Card, rank));
    if (result == COSM_OK) {
        result = cosm_table_sort_u32(world, hand, card, offsetof(Card, suit));
    }
    show("by suit and rank", world, hand, card);
    if (result == COSM_OK) {
        result = cosm_table_sort(world, hand, card, backwards, NULL);
    }
    show("highest first", world, hand, card);

    const Card *found = COSM_READ(world, cards[0], Card);
    printf("the first card is still %c%u, in row %u now\n", "CDHS"[found->suit], found -> rank,
           cosm_entity_loc(world, cards[0]).row);
    cosm_batch_destroy(batch);
    cosm_engine_destroy(engine);
    return result == COSM_OK ? 0 : 1;
}
