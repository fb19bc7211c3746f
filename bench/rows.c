// The list of rows: name, number of items, bar, and the two sides.
#include "rows.h"

// The usual row: a time, with a bar for its ratio. `note` tells rows with the same name apart.
#define ROW(name, n, bar, cosm, limit, note)                                                       \
    { name, n, bar, &(cosm), &(limit), BENCH_RATIO, note, 0, NULL }

// One with a bar in ns or bytes.
#define VALUE(name, n, bar, cosm, limit, note)                                                     \
    { name, n, bar, &(cosm), &(limit), BENCH_COSM, note, 0, NULL }

// One that says how much faster the first side is.
#define SPEED_UP(name, n, bar, cosm, limit, note)                                                  \
    { name, n, bar, &(cosm), &(limit), BENCH_SPEED_UP, note, 0, NULL }

// One run in a round: the next one is another episode.
#define EPISODE(name, n, bar, cosm, limit)                                                         \
    { name, n, bar, &(cosm), &(limit), BENCH_RATIO, NULL, 1, NULL }

// Two workers over one thread, in some way of choosing between them.
#define WAY(n, cosm, limit, note)                                                                  \
    { "break_even", n, 0, &(cosm), &(limit), BENCH_RATIO, note, 0, break_even_after }

#define BREAK_EVEN(n)                                                                              \
    WAY(n, break_even_chunks, break_even_serial, "chunks"),                                        \
        WAY(n, break_even_auto, break_even_serial, "auto"),                                        \
        WAY(n, par2_limit, iter2_limit, "by hand")

const struct bench_row bench_rows[] = {
    ROW("iter2", 1000000, 1.05, iter2_cosm, iter2_limit, NULL),
    ROW("iter2", 10000, 1.10, iter2_cosm, iter2_limit, NULL),
    ROW("iter2", 1000, 1.15, iter2_cosm, iter2_limit, NULL),
    ROW("iter2", 1, 2.5, iter2_cosm, iter2_limit, NULL),
    ROW("frag26", 10000, 1.3, frag26_cosm, frag26_limit, NULL),
    ROW("frag26", 520, 2.5, frag26_cosm, frag26_limit, NULL),
    ROW("mix7", 10000, 1.05, mix7_cosm, mix7_limit, NULL),
    ROW("spawn1", 100000, 2.5, spawn1_cosm, spawn1_limit, NULL),
    ROW("spawn_template", 100000, 0, spawn_template_cosm, spawn_template_limit, NULL),
    ROW("spawn_sector", 100000, 0, spawn_sector_cosm, spawn_sector_limit, NULL),
    ROW("spawn_shared", 100000, 0, spawn_shared_cosm, spawn_shared_limit, NULL),
    ROW("spawn_cold", 1000000, 0.5, spawn_cold_cosm, spawn_cold_limit, NULL),
    ROW("spawn_bulk", 100000, 1.1, spawn_bulk_cosm, spawn_bulk_limit, NULL),
    ROW("despawn1", 100000, 1.5, despawn1_cosm, despawn1_limit, NULL),
    ROW("despawn_rand", 100000, 1.8, despawn_rand_cosm, despawn_rand_limit, NULL),
    ROW("despawn_query", 100000, 3, despawn_query_cosm, despawn_query_limit, NULL),
    ROW("addrem1", 100000, 1.8, addrem1_cosm, addrem1_limit, NULL),
    ROW("addrem_query", 100000, 0.5, addrem_query_cosm, addrem_query_limit, NULL),
    ROW("get_rand", 10000, 3, get_rand_cosm, get_rand_limit, NULL),
    ROW("get_rand", 1000000, 2.0, get_rand_cosm, get_rand_limit, NULL),
    ROW("get_rand_one", 10000, 3, get_rand_one_cosm, get_rand_limit, NULL),
    ROW("get_rand_one", 1000000, 2.0, get_rand_one_cosm, get_rand_limit, NULL),
    ROW("get_rand_many", 1000000, 0, get_rand_many_cosm, get_rand_limit, NULL),
    VALUE("mem", 1000000, 46, mem_cosm, mem_limit, NULL),

    ROW("worlds", 40960, 1.15, worlds_cosm, iter2_limit, NULL),
    ROW("worlds_growing", 40960, 3, worlds_growing_cosm, iter2_limit, NULL),
    SPEED_UP("worlds_2", 40960, 1.7, worlds_2_cosm, worlds_cosm, "fixed"),
    SPEED_UP("worlds_2", 40960, 1.7, worlds_2_growing_cosm, worlds_growing_cosm, "growing"),
    SPEED_UP("worlds_2_hand", 40960, 0, par2_limit, iter2_limit, "fixed: one array, two threads"),
    SPEED_UP("worlds_2_hand", 40960, 0, worlds_2_limit, worlds_limit,
             "growing: a block per world, two threads"),
    ROW("gather", 40960, 0, gather_cosm, gather_limit, "one worker"),
    ROW("gather", 40960, 0, gather_2_cosm, gather_limit, "two workers"),
    ROW("gather", 40960, 0, scatter_cosm, gather_limit, "back, one worker"),
    ROW("world_make", 4096, 2, world_make_cosm, world_make_limit, "fixed"),
    ROW("world_make", 4096, 2, world_make_growing_cosm, world_make_limit, "growing"),
    VALUE("world_mem", 4096, 1024, world_mem_cosm, world_mem_limit, "fixed"),
    VALUE("world_mem", 4096, 1024, world_mem_growing_cosm, world_mem_limit, "growing"),
    EPISODE("episodes", 256, 1.05, episodes_late, episodes_early),
    ROW("episodes", 256, 1.05, episodes_late_bytes, episodes_early_bytes, NULL),
    ROW("par2", 1000000, 1.1, par2_cosm, par2_limit, NULL),
    ROW("par2_small", 1000, 1.05, par2_cosm, par1_cosm, NULL),
    ROW("par2_small", 10000, 1.05, par2_cosm, par1_cosm, NULL),
    VALUE("system_empty", 64, 25, system_empty_cosm, system_empty_limit, "no archetype matches"),
    VALUE("system_empty", 64, 25, system_empty_rowless_cosm, system_empty_limit,
          "one without rows"),
    ROW("system_empty_2", 64, 0, system_empty_2_cosm, system_empty_limit,
        "two workers, one level each"),
    ROW("step_empty", 1, 0, step_empty_cosm, step_empty_limit, NULL),
    ROW("change_walk", 10240, 0, change_walk_cosm, change_walk_limit, NULL),
    ROW("change_iter2", 1000, 0, change_iter2_cosm, iter2_limit, NULL),
    ROW("change_iter2", 1, 0, change_iter2_cosm, iter2_limit, NULL),
    ROW("fork_1000", 1000, 2.0, fork_cosm, fork_limit, "fixed"),
    ROW("fork_1000", 1000, 0, fork_tracked_cosm, fork_limit, "fixed, after a snapshot"),
    ROW("fork_1000", 1000, 0, fork_growing_cosm, fork_limit, "growing"),
    ROW("snap_1pct", 116000, 0.1, snap_1pct_cosm, snap_1pct_limit, NULL),
    ROW("restore_1pct", 116000, 0.1, restore_1pct_cosm, restore_1pct_limit, NULL),
    ROW("snap_worlds", 40960, 0, snap_worlds_cosm, snap_worlds_limit, "4,096 worlds, all changed"),
    ROW("restore_worlds", 40960, 0, restore_worlds_cosm, snap_worlds_limit,
        "4,096 worlds, all changed"),
    ROW("restore_tables", 4000, 1.5, restore_tables_one, restore_tables_parts, NULL),
    ROW("diff_tables", 4000, 2, diff_tables_one, diff_tables_parts, NULL),
    ROW("patch_create", 10240, 0, patch_create_cosm, patch_limit, "1 % of chunks changed"),
    ROW("patch_apply", 10240, 0, patch_apply_cosm, patch_limit, "1 % of chunks changed"),
    ROW("snap_ready", 100000, 1.02, snap_ready_large, snap_ready_large_plain, "one world"),
    ROW("snap_ready", 40960, 1.02, snap_ready_worlds, snap_ready_worlds_plain, "4,096 worlds"),
    ROW("save", 100000, 3.0, save_cosm, save_limit, "fast"),
    VALUE("save", 100000, 50, save_cosm, save_limit, "fast, bar 5 ms"),
    ROW("save", 100000, 0, save_durable_cosm, save_durable_limit, "durable"),
    VALUE("load", 100000, 50, load_cosm, load_limit, "bar 5 ms"),
    ROW("split2", 10000, 1.05, split2_cosm, split2_limit, NULL),
    ROW("sector_addrem", 100000, 2.0, sector_addrem_cosm, sector_addrem_limit, NULL),
    ROW("sector_addrem_rand", 1000000, 1.8, sector_addrem_rand_cosm, sector_addrem_rand_limit,
        NULL),
    ROW("sector_addrem_one", 100000, 2.0, sector_addrem_one_cosm, sector_addrem_limit, NULL),
    ROW("sector_addrem_rand_one", 1000000, 1.8, sector_addrem_rand_one_cosm,
        sector_addrem_rand_limit, NULL),
    ROW("sector_iter2", 10000, 1.05, sector_iter2_cosm, sector_iter2_limit, NULL),
    ROW("sector_view", 100000, 2.0, sector_view_cosm, sector_view_limit, NULL),
    ROW("sector_entity", 100000, 0, sector_entity_cosm, sector_addrem_one_cosm, NULL),
    ROW("sector_entity_walk", 100000, 0, sector_entity_walk_cosm, sector_view_cosm, NULL),
    ROW("sector_churn", 200000, 1.5, sector_churn_all, sector_churn_part, "random"),
    ROW("sector_churn", 200000, 1.5, sector_churn_down, sector_churn_down_part, "descending"),
    ROW("sector_churn", 200000, 1.5, sector_churn_fifo, sector_churn_fifo_part,
        "first in, first out"),
    VALUE("pin", 1, 10, pin_cosm, pin_limit, NULL),
    ROW("shared_walk", 100000, 1.2, shared_walk_cosm, shared_walk_limit, NULL),
    ROW("shared_set", 100000, 0, shared_set_cosm, shared_set_limit, "one by one"),
    ROW("shared_set", 100000, 0, shared_set_all_cosm, shared_set_all_limit, "whole query"),
    ROW("math_sin", 4096, 0, math_sin_cosm, math_sin_limit, "value by value"),
    ROW("math_sin", 4096, 1.0, math_sin_many_cosm, math_sin_limit, "array"),
    ROW("math_cos", 4096, 0, math_cos_cosm, math_cos_limit, "value by value"),
    ROW("math_cos", 4096, 1.0, math_cos_many_cosm, math_cos_limit, "array"),
    ROW("math_sin_cos", 4096, 0, math_sin_cos_cosm, math_sin_cos_limit, "value by value"),
    ROW("math_sin_cos", 4096, 1.0, math_sin_cos_many_cosm, math_sin_cos_limit, "array"),
    ROW("math_tan", 4096, 0, math_tan_cosm, math_tan_limit, "value by value"),
    ROW("math_atan2", 4096, 0, math_atan2_cosm, math_atan2_limit, "value by value"),
    ROW("math_atan2", 4096, 1.0, math_atan2_many_cosm, math_atan2_limit, "array"),
    ROW("math_exp", 4096, 0, math_exp_cosm, math_exp_limit, "value by value"),
    ROW("math_exp", 4096, 1.0, math_exp_many_cosm, math_exp_limit, "array"),
    ROW("math_log", 4096, 0, math_log_cosm, math_log_limit, "value by value"),
    ROW("math_log", 4096, 1.0, math_log_many_cosm, math_log_limit, "array"),
    ROW("math_pow", 4096, 0, math_pow_cosm, math_pow_limit, "value by value"),
#ifdef BENCH_SIM
    ROW("cartpole", 4096, 1.43, cartpole_cosm, cartpole_limit, NULL),
#endif
#ifdef BENCH_XXHASH
    ROW("hash", 100000, 1.5, hash_cosm, hash_limit, NULL),
    ROW("hash_again", 100000, 0, hash_again_cosm, hash_limit, NULL),
#endif
#ifdef BENCH_TEXT
    VALUE("json_save", 100000, 500, json_save_cosm, json_save_limit, NULL),
    VALUE("json_load", 100000, 800, json_load_cosm, json_load_limit, NULL),
#endif
#ifdef BENCH_JANSSON
    ROW("json_trees", 100000, 0, json_jansson, json_jansson, "jansson"),
#endif
#ifdef BENCH_CJSON
    ROW("json_trees", 100000, 0, json_cjson, json_cjson, "cJSON"),
#endif
    BREAK_EVEN(1000),
    BREAK_EVEN(3000),
    BREAK_EVEN(10000),
    BREAK_EVEN(30000),
    BREAK_EVEN(100000),
    BREAK_EVEN(300000),
    BREAK_EVEN(1000000),
};

const uint32_t bench_row_count = sizeof bench_rows / sizeof bench_rows[0];
