// Calling a function for all rows of a query.
//
// There are no earlier runs to learn from, so the first rows are worked on alone and timed; the
// others join in only when what is left is worth their while.
#include "run/turn.h"

#define EACH_SAMPLE_ROWS 4096u
#define EACH_HELP_NS 20000u // of work left, for which help pays even when it has to be woken up
#define EACH_ITEMS_PER_WORKER 4u

struct each_work {
    const cosm_query *query;
    cosm_rows_fn *each;
    void *context;
    struct each_item *items;
    uint32_t first; // items before this one are done
};

// Rows of one table of one world.
struct each_item {
    const struct match *match;
    const struct store *table;
    uint32_t world;
    uint32_t row;
    uint32_t count;
};

static void do_item(const struct each_work *work, struct cosm_batch *batch,
                    const struct each_item *item) {
    cosm_rows rows;
    cosmi_rows_slice(&rows, work->query, item->match, item->table, batch_world(batch, item->world),
                     item->row, item->count);
    rows.context = work->context;
    cosmi_rows_sift(&rows, work->each);
}

struct each_call {
    struct each_work work;
    struct cosm_batch *batch;
    struct failure_watch watch; // of all threads; under the batch's lock
};

void cosmi_each_watch(struct each_watch *watch) {
    watch->own.now = 0;
    watch->own.detail = NULL;
    watch->own.failure.result = COSM_OK;
    watch->outer = cosmi_error_watch(&watch->own);
}

cosm_result cosmi_each_unwatch(struct each_watch *watch) {
    (void)cosmi_error_watch(watch->outer);
    const struct failure *failure = &watch->own.failure;
    if (LIKELY(failure->result == COSM_OK)) {
        return COSM_OK;
    }
    if (watch->outer != NULL) {
        cosmi_watch_keep(watch->outer, failure);
    }
    return cosmi_error_show(failure);
}

// Does one item; of several that fail the first in their order counts.
static void watch_item(struct each_call *made, uint32_t index) {
    struct each_watch watch;
    cosmi_each_watch(&watch);
    do_item(&made->work, made->batch, &made->work.items[index]);
    (void)cosmi_error_watch(watch.outer);
    if (UNLIKELY(watch.own.failure.result != COSM_OK)) {
        cosmi_mutex_lock(&made->batch->lock);
        made->watch.now = index;
        cosmi_watch_keep(&made->watch, &watch.own.failure);
        cosmi_mutex_unlock(&made->batch->lock);
    }
}

static void help_each(void *context, uint32_t item, uint32_t worker) {
    struct each_call *made = context;
    (void)worker;
    watch_item(made, made->work.first + item);
}

static uint32_t item_rows(const struct archetype *archetype, uint64_t rows, uint32_t worker_count) {
    uint64_t most = rows / (worker_count * EACH_ITEMS_PER_WORKER) + 1;
    most = most < EACH_SAMPLE_ROWS ? EACH_SAMPLE_ROWS : most;
    uint64_t chunks = (most + archetype->chunk_rows - 1) / archetype->chunk_rows;
    uint64_t whole = chunks * archetype->chunk_rows;
    return whole < COSM_TABLE_ROW_MAX ? (uint32_t)whole : COSM_TABLE_ROW_MAX;
}

// Lists (or, without a list, counts) the items of one table behind `count` others; returns how many
// there are then.
static uint32_t list_table(const struct match *match, const struct store *table, uint32_t world,
                           uint32_t most, uint32_t count, struct each_item *items) {
    uint32_t left = table->counts[world];
    for (uint32_t row = 0; left > 0; count++) {
        // The very first one is the sample.
        uint32_t size = count == 0 ? match->archetype->chunk_rows : most;
        size = left < size ? left : size;
        if (items != NULL) {
            items[count] = (struct each_item){match, table, world, row, size};
        }
        row += size;
        left -= size;
    }
    return count;
}

static uint32_t list_items(const cosm_query *query, cosm_worlds worlds, uint64_t rows,
                           uint32_t worker_count, struct each_item *items) {
    uint32_t count = 0;
    for (struct match *m = match_first(query); m != NULL; m = match_next(m)) {
        uint32_t most = item_rows(m->archetype, rows, worker_count);
        for (uint32_t w = worlds.first; w < worlds.first + worlds.count; w++) {
            const struct store *table = cosmi_match_table(query, m, worlds.batch, w, NULL);
            for (; table != NULL; table = cosmi_match_table(query, m, worlds.batch, w, table)) {
                count = list_table(m, table, w, most, count, items);
            }
        }
    }
    return count;
}

// Works alone until enough rows were seen to tell what a row costs; returns ns per row.
static double sample_items(struct each_call *made, uint32_t count) {
    uint64_t begin_ns = cosmi_os_now_ns();
    uint32_t rows = 0;
    while (made->work.first < count && rows < EACH_SAMPLE_ROWS) {
        uint32_t index = made->work.first++;
        watch_item(made, index);
        rows += made->work.items[index].count;
    }
    return rows == 0 ? 0.0 : (double)(cosmi_os_now_ns() - begin_ns) / rows;
}

static void finish_items(struct each_call *made, uint32_t count, double row_ns, uint64_t rows) {
    struct workers *workers = &made->batch->runner->workers;
    bool helps = row_ns * (double)rows > EACH_HELP_NS;
    struct worker_job job = {.work = help_each,
                             .context = made,
                             .item_count = count - made->work.first,
                             .worker_count = helps ? workers->worker_count : 1};
    if (job.item_count > 0) {
        cosmi_workers_run(workers, &job);
    }
}

static cosm_result walk_alone(const cosm_query *query, cosm_worlds worlds, cosm_rows_fn *each,
                              void *context) {
    struct each_watch watch;
    cosm_rows rows;
    cosmi_each_watch(&watch);
    cosmi_walk_begin(query, worlds, &rows);
    rows.context = context;
    while (cosmi_walk_next(&rows)) {
        each(&rows);
    }
    return cosmi_each_unwatch(&watch);
}

cosm_result cosmi_each_run(const cosm_query *query, cosm_worlds worlds, cosm_rows_fn *each,
                           void *context, const char *call) {
    struct cosm_batch *batch = worlds.batch;
    uint32_t worker_count = batch->runner->workers.worker_count;
    uint64_t rows = cosmi_query_count_rows(query, worlds);
    if (worker_count == 1 || rows < 2 * EACH_SAMPLE_ROWS) {
        return walk_alone(query, worlds, each, context);
    }
    uint32_t count = list_items(query, worlds, rows, worker_count, NULL);
    size_t size = count * sizeof(struct each_item);
    struct each_call made = {.work = {query, each, context, NULL, 0}, .batch = batch};
    made.work.items = cosmi_memory_alloc(&batch->memory, size, sizeof(void *));
    if (made.work.items == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    (void)list_items(query, worlds, rows, worker_count, made.work.items);
    struct each_watch watch;
    cosmi_each_watch(&watch);
    made.watch.failure.result = COSM_OK;
    made.watch.detail = NULL;
    // Only for its lock: no direct changes until all is done.
    cosm_rows lock;
    cosmi_walk_begin(query, worlds, &lock);
    double row_ns = sample_items(&made, count);
    finish_items(&made, count, row_ns, rows);
    cosmi_walk_end(&lock);
    cosmi_memory_free(&batch->memory, made.work.items, size, sizeof(void *));
    if (UNLIKELY(made.watch.failure.result != COSM_OK)) {
        cosmi_watch_keep(&watch.own, &made.watch.failure);
    }
    return cosmi_each_unwatch(&watch);
}
