// Gathering: rows of many tables copied side by side after a step, and back before it.
//
//   world 0: row row row | world 1: | world 2: row row        tables of the worlds
//            `- offsets[0] `- offsets[1], [2]  `- [3]
//   buffer:  row row row row row                              addresses that never change
//
// Both directions first count the rows of every source, and go on only where all is well with all
// tensors. Then blocks of worlds are copied, by several workers where there is enough to copy.
#include "export/export.h"
#include "query/walk.h"
#include "store/shared.h"
#include "task/workers.h"

// What the range of a tensor without a row_max holds.
#define RANGE_SIZE ((size_t)1 << 30)

// Below this many bytes waking others takes longer than copying: they take about 10 us to come, in
// which one core copies this much from tables of ten rows.
#define SHARED_COPY_SIZE ((uint64_t)64 << 10)

// Blocks that each worker gets of a job, so that none waits long for the last one.
#define BLOCKS_PER_WORKER 4u

// Some rows of one table of a world.
struct row_run {
    const struct store *store;
    uint32_t world;
    uint32_t row;
    uint32_t count;
};

typedef void row_run_fn(void *context, struct row_run run);

// A run of rows that a row filter lets through, for who is called with runs.
struct sifted {
    row_run_fn *visit;
    void *context;
    const struct store *store;
};

static void visit_sifted(cosm_rows *rows) {
    const struct sifted *sifted = rows->context;
    sifted->visit(sifted->context,
                  (struct row_run){sifted->store, rows->world, rows->row, rows->count});
}

static void visit_query(const cosm_query *query, cosm_world world, row_run_fn *visit,
                        void *context) {
    uint32_t w = world.index;
    for (const struct match *m = match_first(query); m != NULL; m = match_next(m)) {
        const struct store *table = cosmi_match_table(query, m, world.batch, w, NULL);
        for (; table != NULL; table = cosmi_match_table(query, m, world.batch, w, table)) {
            uint32_t count = table->counts[w];
            if (m->archetype->temporary) {
                continue;
            }
            if (!query->is_filtered) {
                visit(context, (struct row_run){table, w, 0, count});
                continue;
            }
            struct sifted sifted = {visit, context, table};
            cosm_rows rows;
            cosmi_rows_slice(&rows, query, m, table, world, 0, count);
            rows.context = &sifted;
            cosmi_rows_sift(&rows, visit_sifted);
        }
    }
}

// The rows of a world that a source has, table by table.
static void visit_rows(const struct row_source *source, cosm_world world, row_run_fn *visit,
                       void *context) {
    if (source->query != NULL) {
        visit_query(source->query, world, visit, context);
        return;
    }
    const struct store *table = cosmi_shared_table(source->store, world.index, NULL);
    for (; table != NULL; table = cosmi_shared_table(source->store, world.index, table)) {
        if (table->counts[world.index] > 0) {
            visit(context, (struct row_run){table, world.index, 0, table->counts[world.index]});
        }
    }
}

static void add_count(void *context, struct row_run run) {
    *(int64_t *)context += run.count;
}

static bool has_one_table(const struct row_source *source) {
    return source->query == NULL && source->store->archetype->shared_count == 0;
}

// Where the rows of each world would begin now.
static void count_source(const struct row_source *source, struct cosm_batch *batch) {
    int64_t total = 0;
    bool is_simple = has_one_table(source);
    for (uint32_t w = 0; w < batch->world_count; w++) {
        source->counted[w] = total;
        if (LIKELY(is_simple)) {
            total += source->store->counts[w];
        } else {
            visit_rows(source, batch_world(batch, w), add_count, &total);
        }
    }
    source->counted[batch->world_count] = total;
}

// The values of some rows, side by side or `stride` apart; the buffer has them side by side.
struct value_copy {
    char *target;
    const char *source;
    size_t target_stride;
    size_t source_stride;
};

static void copy_values(struct value_copy copy, size_t size, uint32_t count) {
    if (LIKELY(copy.target_stride == copy.source_stride && copy.target_stride == size)) {
        memcpy(copy.target, copy.source, count * size);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        copy_value(copy.target, copy.source, size);
        copy.target += copy.target_stride;
        copy.source += copy.source_stride;
    }
}

// One tensor on its way, world by world.
struct tensor_copy {
    const struct tensor *tensor;
    struct cosm_batch *batch;
    bool is_scatter;
    char *at; // in the buffer
    const struct archetype *archetype;
    struct export_column column; // in that archetype
};

// One column of a run: `size` bytes of each row, from `offset` on, to or from `at`.
static void copy_column(const struct tensor_copy *copy, struct row_run run, char *at,
                        uint32_t number, uint32_t offset, size_t size) {
    const struct store *store = run.store;
    const struct column_info *info = &store->archetype->columns[number];
    size_t item_size = copy->tensor->export->item_size;
    char *cells =
        store_cell(store, store_table(store, run.world), run.world, number, run.row, info->size) +
        offset;
    if (!copy->is_scatter) {
        copy_values((struct value_copy){at, cells, item_size, info->size}, size, run.count);
        return;
    }
    copy_values((struct value_copy){cells, at, info->size, item_size}, size, run.count);
    if (UNLIKELY(store->ticks != NULL)) {
        change_stamp(store, run.world, number - info->part, run.row, run.count,
                     world_clock((cosm_world){copy->batch, run.world}));
    }
}

static void copy_run(struct tensor_copy *copy, struct row_run run) {
    const struct export *export = copy->tensor->export;
    const struct archetype *archetype = run.store->archetype;
    if (UNLIKELY(copy->archetype != archetype)) {
        copy->archetype = archetype;
        copy->column = cosmi_export_column(export, archetype);
    }
    struct export_column column = copy->column;
    if (LIKELY(column.part_count == 0)) {
        copy_column(copy, run, copy->at, column.number, column.offset, export->item_size);
    }
    char *at = copy->at;
    for (uint32_t i = 0; i < column.part_count; i++) {
        const struct value_type *type = schema_component(copy->batch->schema, export->component);
        size_t size = cosm_field_size(&type->fields.items[export->field + i]);
        copy_column(copy, run, at, column.number + i, 0, size);
        at += size;
    }
    copy->at += (size_t)run.count * export->item_size;
}

static void copy_visited(void *context, struct row_run run) {
    copy_run(context, run);
}

// Worlds ahead of the one at hand whose tables are fetched into the cache.
#define COPIES_AHEAD 8u

// Whole columns of tables of one archetype, a memcpy each: for ten rows it is half of the time to
// be ready for the next table. Tables of few rows are blocks laid out alike, so the columns of the
// one ahead most likely lie as far from it as those at hand do from theirs (see each_growing in
// walk.c).
static void copy_tables(const struct tensor_copy *copy, const struct store *store, uint32_t first,
                        uint32_t end) {
    struct table *const *tables = store->tables;
    uint32_t number = copy->column.number;
    size_t size = copy->column.stride;
    char *at = copy->at;
    for (uint32_t w = first; w < end; w++) {
        size_t bytes = store->counts[w] * size;
        if (UNLIKELY(bytes == 0)) {
            continue;
        }
        uint32_t ahead = end - w > COPIES_AHEAD ? w + COPIES_AHEAD : w;
        uintptr_t way = (uintptr_t)tables[ahead] - (uintptr_t)tables[w];
        char *cells = tables[w]->columns[number];
        PREFETCH((const void *)((uintptr_t)&tables[w]->columns[number] + way));
        PREFETCH((const void *)((uintptr_t)cells + way));
        PREFETCH((const void *)((uintptr_t)cells + way + 64));
        memcpy(copy->is_scatter ? cells : at, copy->is_scatter ? at : cells, bytes);
        if (UNLIKELY(copy->is_scatter && store->ticks != NULL)) {
            change_stamp(store, w, number - store->archetype->columns[number].part, 0,
                         store->counts[w], world_clock((cosm_world){copy->batch, w}));
        }
        at += bytes;
    }
}

static void copy_worlds(struct cosm_batch *batch, const struct tensor *tensor, uint32_t first,
                        uint32_t end, bool is_scatter) {
    const struct row_source *source = tensor->source;
    struct tensor_copy copy = {
        .tensor = tensor,
        .batch = batch,
        .is_scatter = is_scatter,
        .at =
            (char *)tensor->shown.data + (size_t)tensor->offsets[first] * tensor->export->item_size,
    };
    bool is_simple = has_one_table(source);
    if (is_simple) {
        copy.archetype = source->store->archetype;
        copy.column = cosmi_export_column(tensor->export, copy.archetype);
        if (copy.column.stride == tensor->export->item_size && copy.column.part_count <= 1) {
            copy_tables(&copy, source->store, first, end);
            return;
        }
    }
    for (uint32_t w = first; w < end; w++) {
        if (LIKELY(is_simple)) {
            uint32_t count = source->store->counts[w];
            if (count > 0) {
                copy_run(&copy, (struct row_run){source->store, w, 0, count});
            }
        } else {
            visit_rows(source, batch_world(batch, w), copy_visited, &copy);
        }
    }
}

// Which of the gathered tensors are copied, and which way.
enum copy_kind {
    COPY_GATHER,
    COPY_GATHER_ALL, // also those that only the outside writes
    COPY_SCATTER,
};

struct copy_job {
    struct cosm_batch *batch;
    uint32_t block;
    enum copy_kind kind;
};

static bool is_copied(const struct tensor *tensor, enum copy_kind kind) {
    cosm_direction other = kind == COPY_SCATTER ? COSM_DIRECTION_OUT : COSM_DIRECTION_IN;
    return tensor->source != NULL && (kind == COPY_GATHER_ALL || tensor->shown.direction != other);
}

static void copy_block(void *context, uint32_t item, uint32_t worker) {
    (void)worker;
    const struct copy_job *job = context;
    uint32_t first = item * job->block;
    uint32_t left = job->batch->world_count - first;
    uint32_t end = first + (left < job->block ? left : job->block);
    for (const struct tensor *t = job->batch->row_tensors; t != NULL; t = t->next) {
        if (is_copied(t, job->kind)) {
            copy_worlds(job->batch, t, first, end, job->kind == COPY_SCATTER);
        }
    }
}

static void copy_tensors(struct cosm_batch *batch, enum copy_kind kind) {
    uint64_t size = 0;
    for (const struct tensor *t = batch->row_tensors; t != NULL; t = t->next) {
        if (is_copied(t, kind)) {
            size += (uint64_t)t->offsets[batch->world_count] * t->export->item_size;
        }
    }
    if (size == 0) {
        return;
    }
    struct workers *workers = batch->workers;
    uint32_t worker_count = size >= SHARED_COPY_SIZE ? workers->worker_count : 1;
    uint32_t blocks = worker_count == 1 ? 1 : worker_count * BLOCKS_PER_WORKER;
    struct copy_job job = {batch, (batch->world_count + blocks - 1) / blocks, kind};
    struct worker_job work = {.work = copy_block,
                              .context = &job,
                              .item_count = (batch->world_count + job.block - 1) / job.block,
                              .worker_count = worker_count};
    cosmi_workers_run(workers, &work);
}

static size_t counted_size(const struct cosm_batch *batch) {
    return ((size_t)batch->world_count + 1) * sizeof(int64_t);
}

static void count_sources(struct cosm_batch *batch) {
    for (const struct row_source *s = batch->row_sources; s != NULL; s = s->next) {
        count_source(s, batch);
    }
}

// Room in a buffer for the rows that were counted. A little more each time, up to what is reserved.
static cosm_result fit_rows(struct cosm_batch *batch, const char *call, struct tensor *tensor) {
    uint64_t rows = (uint64_t)tensor->source->counted[batch->world_count];
    const struct export *export = tensor->export;
    if (rows > tensor->row_max) {
        return cosmi_fail(batch->sink, COSM_ERROR_FULL,
                          "%s: the %llu rows of '%s' in slot %u exceed the %llu reserved for its "
                          "tensor; set a larger row_max in its desc",
                          call, (unsigned long long)rows, export->desc.name, export->desc.slot,
                          (unsigned long long)tensor->row_max);
    }
    size_t need = (size_t)rows * export->item_size;
    if (need <= tensor->committed_size) {
        return COSM_OK;
    }
    size_t more = need + need / 8;
    more = more < tensor->reserved_size ? more : tensor->reserved_size;
    char *data = tensor->shown.data;
    if (!cosmi_range_commit(&batch->memory, data, tensor->committed_size, more)) {
        more = need;
        if (!cosmi_range_commit(&batch->memory, data, tensor->committed_size, more)) {
            return cosmi_fail_memory(batch->sink, &batch->memory, call);
        }
    }
    tensor->committed_size = more;
    return COSM_OK;
}

static void take_counts(struct cosm_batch *batch, struct tensor *tensor) {
    if (tensor->source != NULL) {
        memcpy(tensor->offsets, tensor->source->counted, counted_size(batch));
    } else {
        tensor->offsets[1] = tensor->pinned->counts[0];
    }
    tensor->shown.shape[0] = tensor->offsets[batch->world_count];
}

cosm_result cosmi_tensors_gather(struct cosm_batch *batch, const char *call, bool with_inputs) {
    count_sources(batch);
    for (struct tensor *t = batch->row_tensors; t != NULL; t = t->next) {
        cosm_result result = t->source == NULL ? COSM_OK : fit_rows(batch, call, t);
        if (result != COSM_OK) {
            return result;
        }
    }
    for (struct tensor *t = batch->row_tensors; t != NULL; t = t->next) {
        take_counts(batch, t);
    }
    copy_tensors(batch, with_inputs ? COPY_GATHER_ALL : COPY_GATHER);
    atomic_store_explicit(&batch->is_replaced, false, memory_order_relaxed);
    return COSM_OK;
}

// Does each world still have the rows that the tensor shows?
static cosm_result check_fit(struct cosm_batch *batch, const char *call,
                             const struct tensor *tensor) {
    const int64_t *counted = tensor->source->counted;
    const int64_t *offsets = tensor->offsets;
    const struct export *export = tensor->export;
    if (tensor->shown.direction == COSM_DIRECTION_BOTH &&
        atomic_load_explicit(&batch->is_replaced, memory_order_relaxed)) {
        return cosmi_fail(batch->sink, COSM_ERROR_CONFLICT,
                          "%s: worlds were restored, forked, loaded or patched since the last "
                          "gather, but '%s' in slot %u has the values from before; call "
                          "cosm_batch_gather after such changes",
                          call, export->desc.name, export->desc.slot);
    }
    if (memcmp(offsets, counted, counted_size(batch)) == 0) {
        return COSM_OK;
    }
    uint32_t w = 0;
    while (counted[w + 1] - counted[w] == offsets[w + 1] - offsets[w]) {
        w++;
    }
    return cosmi_fail(
        batch->sink, COSM_ERROR_CONFLICT,
        "%s: world %u has %lld rows, but '%s' in slot %u has %lld; call cosm_batch_gather after "
        "changes between steps, before you write",
        call, w, (long long)(counted[w + 1] - counted[w]), export->desc.name, export->desc.slot,
        (long long)(offsets[w + 1] - offsets[w]));
}

// Rows of a source held against those that were gathered, world by world.
struct witness_check {
    const char *at;
    bool differs;
};

static void compare_entities(void *context, struct row_run run) {
    struct witness_check *check = context;
    size_t size = run.count * sizeof(cosm_entity);
    const char *cells = store_cell(run.store, store_table(run.store, run.world), run.world,
                                   ENTITY_COLUMN, run.row, sizeof(cosm_entity));
    check->differs = check->differs || memcmp(check->at, cells, size) != 0;
    check->at += size;
}

// The first world of which other rows were gathered than it has now; their number where there is
// none. There are as many rows as there were.
static uint32_t find_changed_world(struct cosm_batch *batch, const struct row_source *source) {
    struct witness_check check = {source->witness->shown.data, false};
    uint32_t w = 0;
    for (; w < batch->world_count; w++) {
        visit_rows(source, batch_world(batch, w), compare_entities, &check);
        if (check.differs) {
            break;
        }
    }
    return w;
}

static cosm_result check_entities(struct cosm_batch *batch, const char *call) {
    for (const struct tensor *t = batch->row_tensors; t != NULL; t = t->next) {
        if (!is_copied(t, COPY_SCATTER)) {
            continue;
        }
        uint32_t world = find_changed_world(batch, t->source);
        if (world < batch->world_count) {
            return cosmi_fail(batch->sink, COSM_ERROR_CONFLICT,
                              "%s: the rows of world %u are not those that '%s' in slot %u shows: "
                              "some were added, removed or moved; call cosm_batch_gather after "
                              "changes between steps, before you write",
                              call, world, t->export->desc.name, t->export->desc.slot);
        }
    }
    return COSM_OK;
}

cosm_result cosmi_tensors_scatter(struct cosm_batch *batch, const char *call) {
    bool is_any = false;
    for (const struct tensor *t = batch->row_tensors; t != NULL && !is_any; t = t->next) {
        is_any = is_copied(t, COPY_SCATTER);
    }
    if (!is_any) {
        return COSM_OK;
    }
    count_sources(batch);
    for (const struct tensor *t = batch->row_tensors; t != NULL; t = t->next) {
        cosm_result result = is_copied(t, COPY_SCATTER) ? check_fit(batch, call, t) : COSM_OK;
        if (result != COSM_OK) {
            return result;
        }
    }
    cosm_result result = check_entities(batch, call);
    if (result == COSM_OK) {
        copy_tensors(batch, COPY_SCATTER);
    }
    return result;
}

static void free_buffer(struct cosm_batch *batch, const struct tensor *tensor) {
    if (tensor->shown.data != NULL) {
        cosmi_range_unreserve(&batch->memory, tensor->shown.data, tensor->reserved_size,
                              tensor->committed_size);
    }
}

static void free_witness(struct cosm_batch *batch, struct tensor *witness) {
    struct tensor **at = &batch->row_tensors;
    while (*at != NULL && *at != witness) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        *at = witness->next;
    }
    free_buffer(batch, witness);
    if (witness->offsets != NULL) {
        cosmi_memory_free(&batch->memory, witness->offsets, counted_size(batch), TENSOR_ALIGNMENT);
    }
    cosmi_memory_free(&batch->memory, witness, sizeof(*witness), _Alignof(struct tensor));
}

static void drop_source(struct cosm_batch *batch, struct row_source *source) {
    if (--source->user_count > 0) {
        return;
    }
    if (source->witness != NULL) {
        free_witness(batch, source->witness);
    }
    struct row_source **at = &batch->row_sources;
    while (*at != source) {
        at = &(*at)->next;
    }
    *at = source->next;
    cosmi_memory_free(&batch->memory, source->counted, counted_size(batch), TENSOR_ALIGNMENT);
    cosmi_memory_free(&batch->memory, source, sizeof(*source), _Alignof(struct row_source));
}

// The source of an export in a batch, made where there is none yet. NULL when out of memory.
static struct row_source *use_source(struct cosm_batch *batch, const struct export *export) {
    struct store *store =
        export->query != NULL ? NULL : batch_store(batch, export->desc.archetype.id);
    struct row_source *source = batch->row_sources;
    while (source != NULL && (source->query != export->query || source->store != store)) {
        source = source->next;
    }
    if (source == NULL) {
        source =
            cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*source), _Alignof(struct row_source));
        if (source == NULL) {
            return NULL;
        }
        *source =
            (struct row_source){.next = batch->row_sources, .query = export->query, .store = store};
        source->counted =
            cosmi_memory_alloc_zeroed(&batch->memory, counted_size(batch), TENSOR_ALIGNMENT);
        if (source->counted == NULL) {
            cosmi_memory_free(&batch->memory, source, sizeof(*source), _Alignof(struct row_source));
            return NULL;
        }
        batch->row_sources = source;
    }
    source->user_count++;
    return source;
}

// The buffer of a tensor whose source is known, with what is there now. What was taken on failure
// is given back by free_buffer.
static cosm_result open_buffer(struct cosm_batch *batch, const char *call, struct tensor *tensor) {
    const struct export *export = tensor->export;
    uint32_t row_max = export->desc.row_max;
    tensor->row_max = row_max != 0 ? row_max : RANGE_SIZE / export->item_size;
    tensor->reserved_size = (size_t)tensor->row_max * export->item_size;
    tensor->shown.data = cosmi_range_reserve(&batch->memory, tensor->reserved_size);
    // The first page is always there to be looked at.
    if (tensor->shown.data == NULL ||
        !cosmi_range_commit(&batch->memory, tensor->shown.data, 0, 1)) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    tensor->committed_size = 1;
    count_source(tensor->source, batch);
    cosm_result result = fit_rows(batch, call, tensor);
    if (result == COSM_OK) {
        take_counts(batch, tensor);
        copy_worlds(batch, tensor, 0, batch->world_count, false);
    }
    return result;
}

// From now on a source knows which entities were gathered.
static cosm_result make_witness(struct cosm_batch *batch, const char *call,
                                struct row_source *source) {
    struct tensor *witness =
        cosmi_memory_alloc_zeroed(&batch->memory, sizeof(*witness), _Alignof(struct tensor));
    if (witness == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    source->handles = (struct export){
        .desc = {.name = "", .slot = COSM_EXPORT_SLOT_NONE, .row_max = COSM_TABLE_ROW_MAX},
        .type = COSM_FIELD_U32,
        .item_size = sizeof(cosm_entity),
    };
    witness->export = &source->handles;
    witness->source = source;
    witness->offsets =
        cosmi_memory_alloc_zeroed(&batch->memory, counted_size(batch), TENSOR_ALIGNMENT);
    cosm_result result = witness->offsets == NULL
                             ? cosmi_fail_memory(batch->sink, &batch->memory, call)
                             : open_buffer(batch, call, witness);
    if (result != COSM_OK) {
        free_witness(batch, witness);
        return result;
    }
    source->witness = witness;
    witness->next = batch->row_tensors;
    batch->row_tensors = witness;
    return COSM_OK;
}

cosm_result cosmi_gathered_make(struct cosm_batch *batch, const char *call, struct tensor *tensor) {
    tensor->source = use_source(batch, tensor->export);
    if (tensor->source == NULL) {
        return cosmi_fail_memory(batch->sink, &batch->memory, call);
    }
    bool is_written = tensor->shown.direction != COSM_DIRECTION_OUT;
    cosm_result result = is_written && tensor->source->witness == NULL
                             ? make_witness(batch, call, tensor->source)
                             : COSM_OK;
    return result == COSM_OK ? open_buffer(batch, call, tensor) : result;
}

void cosmi_gathered_free(struct cosm_batch *batch, struct tensor *tensor) {
    if (tensor->source != NULL) {
        free_buffer(batch, tensor);
        drop_source(batch, tensor->source);
    }
}

const char *cosmi_tensors_fault(const struct cosm_batch *batch) {
    for (const struct tensor *t = batch->row_tensors; t != NULL; t = t->next) {
        const int64_t *offsets = t->offsets;
        bool rises = offsets[0] == 0;
        for (uint32_t w = 0; w < batch->world_count; w++) {
            rises = rises && offsets[w] <= offsets[w + 1];
        }
        if (!rises || t->shown.shape[0] != offsets[batch->world_count]) {
            return "the offsets of a tensor do not lead to its rows";
        }
        size_t size = (size_t)t->shown.shape[0] * t->export->item_size;
        if (t->source != NULL &&
            (size > t->committed_size || (uint64_t)t->shown.shape[0] > t->row_max)) {
            return "a tensor shows rows that it has no memory for";
        }
        if (t->pinned != NULL) {
            struct export_column column = cosmi_export_column(t->export, t->pinned->archetype);
            const char *cells = t->pinned->tables[0]->columns[column.number];
            if (t->pinned->pin_count == 0 || t->shown.data != cells + column.offset) {
                return "a table is not where its tensor shows it";
            }
        }
    }
    return NULL;
}
