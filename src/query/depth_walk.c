// Walking a query by depth: the rows of a world are cut into runs of equal depth, and the runs are
// put into one list for each depth. Two passes, whatever the shape of the tree.
#include "query/walk.h"

#include "store/tree.h"

#define RUN_NONE 0xFFFFFFFFu

// Rows of one table that lie side by side and have one depth.
struct depth_run {
    const struct match *match;
    const struct store *table;
    uint32_t row;
    uint32_t count;
    uint32_t depth;
    uint32_t next; // run of the same depth
};

// What a walk has in hand; the arrays are used again for the next world.
struct depth_walk {
    const cosm_query *query;
    const cosm_rows *like;
    cosm_rows_fn *each;
    void *context;
    struct memory *memory;
    struct depth_run *runs;
    uint32_t run_count;
    uint32_t run_capacity;
    uint32_t depth_count; // one more than the greatest
    uint32_t *heads;      // [depth_count]: the first run of each depth
    uint32_t head_capacity;
};

static void show_run(const struct depth_walk *walk, cosm_world world, const struct depth_run *run) {
    cosm_rows rows;
    cosmi_rows_slice(&rows, walk->query, run->match, run->table, world, run->row, run->count);
    rows.turn = walk->like->turn;
    rows.dt = walk->like->dt;
    rows.context = walk->context;
    cosmi_rows_sift(&rows, walk->each);
}

static bool add_run(struct depth_walk *walk, struct depth_run run) {
    struct depth_run *runs = cosmi_array_grow(walk->memory, walk->runs, &walk->run_capacity,
                                              walk->run_count + 1, sizeof(*runs));
    if (runs == NULL) {
        return false;
    }
    walk->runs = runs;
    runs[walk->run_count++] = run;
    walk->depth_count = run.depth >= walk->depth_count ? run.depth + 1 : walk->depth_count;
    return true;
}

// Cuts the rows of one table into runs. Rows of a temporary table have no entities, so no depth.
static bool cut_by_depth(struct depth_walk *walk, cosm_world world, const struct tree *tree,
                         const struct match *match, const struct store *table) {
    uint32_t count = table->counts[world.index];
    struct depth_run run = {.match = match, .table = table, .count = count, .next = RUN_NONE};
    if (table->archetype->temporary) {
        return add_run(walk, run);
    }
    const cosm_entity *entities = (const cosm_entity *)(const void *)store_cell(
        table, store_table(table, world.index), world.index, ENTITY_COLUMN, 0, sizeof(cosm_entity));
    run.depth = tree_known_depth(tree, entities[0].id);
    for (uint32_t row = 1; row < count; row++) {
        uint32_t here = tree_known_depth(tree, entities[row].id);
        if (here != run.depth) {
            run.count = row - run.row;
            if (!add_run(walk, run)) {
                return false;
            }
            run.row = row;
            run.depth = here;
        }
    }
    run.count = count - run.row;
    return add_run(walk, run);
}

static bool cut_world(struct depth_walk *walk, cosm_world world, const struct tree *tree) {
    walk->run_count = 0;
    walk->depth_count = 0;
    for (struct match *m = match_first(walk->query); m != NULL; m = match_next(m)) {
        const struct store *table = NULL;
        while ((table = cosmi_match_table(walk->query, m, world.batch, world.index, table)) !=
               NULL) {
            if (!cut_by_depth(walk, world, tree, m, table)) {
                return false;
            }
        }
    }
    uint32_t *heads = cosmi_array_grow(walk->memory, walk->heads, &walk->head_capacity,
                                       walk->depth_count, sizeof(*heads));
    if (heads == NULL && walk->depth_count > 0) {
        return false;
    }
    walk->heads = heads;
    for (uint32_t d = 0; d < walk->depth_count; d++) {
        heads[d] = RUN_NONE;
    }
    // The last one first, so that the lists begin with the first ones.
    for (uint32_t r = walk->run_count; r-- > 0;) {
        walk->runs[r].next = heads[walk->runs[r].depth];
        heads[walk->runs[r].depth] = r;
    }
    return true;
}

static bool walk_world(struct depth_walk *walk, cosm_world world) {
    struct tree *tree = batch_tree(world.batch, world.index);
    if (tree == NULL || tree->linked == 0) {
        for (struct match *m = match_first(walk->query); m != NULL; m = match_next(m)) {
            const struct store *table = NULL;
            while ((table = cosmi_match_table(walk->query, m, world.batch, world.index, table)) !=
                   NULL) {
                struct depth_run run = {
                    .match = m, .table = table, .count = table->counts[world.index]};
                show_run(walk, world, &run);
            }
        }
        return true;
    }
    cosmi_tree_know_depths(world.batch, tree);
    if (!cut_world(walk, world, tree)) {
        return false;
    }
    for (uint32_t d = 0; d < walk->depth_count; d++) {
        for (uint32_t r = walk->heads[d]; r != RUN_NONE; r = walk->runs[r].next) {
            show_run(walk, world, &walk->runs[r]);
        }
    }
    return true;
}

cosm_result cosmi_depth_walk(const cosm_query *query, cosm_worlds worlds, const cosm_rows *like,
                             cosm_rows_fn *each, void *context, const char *call) {
    struct cosm_batch *batch = worlds.batch;
    struct depth_walk walk = {
        .query = query, .like = like, .each = each, .context = context, .memory = &batch->memory};
    bool done = true;
    for (uint32_t w = 0; w < worlds.count && done; w++) {
        done = walk_world(&walk, batch_world(batch, worlds.first + w));
    }
    cosmi_array_free(&batch->memory, walk.runs, walk.run_capacity, sizeof(*walk.runs));
    cosmi_array_free(&batch->memory, walk.heads, walk.head_capacity, sizeof(*walk.heads));
    return done ? COSM_OK : cosmi_fail_memory(batch->sink, &batch->memory, call);
}
