// The list of rows, and the sides that they are put together from.
//
// A side NAME_cosm is in row_NAME.c or in the file of its family (row_spawn.c has all that spawn);
// NAME_limit is in the file of the same stem in limit/.
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "bench.h"
#include "work.h"

extern const struct bench_row bench_rows[];
extern const uint32_t bench_row_count;

extern const struct bench_side iter2_cosm;
extern const struct bench_side frag26_cosm;
extern const struct bench_side mix7_cosm;
extern const struct bench_side spawn1_cosm;
extern const struct bench_side spawn_sector_cosm;
extern const struct bench_side spawn_shared_cosm;
extern const struct bench_side spawn_template_cosm;
extern const struct bench_side spawn_cold_cosm;
extern const struct bench_side spawn_bulk_cosm;
extern const struct bench_side despawn1_cosm;
extern const struct bench_side despawn_rand_cosm;
extern const struct bench_side despawn_query_cosm;
extern const struct bench_side addrem1_cosm;
extern const struct bench_side addrem_query_cosm;
extern const struct bench_side get_rand_cosm;
extern const struct bench_side get_rand_one_cosm;
extern const struct bench_side get_rand_many_cosm;
extern const struct bench_side mem_cosm;

extern const struct bench_side worlds_cosm;
extern const struct bench_side worlds_growing_cosm;
extern const struct bench_side worlds_2_cosm;
extern const struct bench_side worlds_2_growing_cosm;
extern const struct bench_side gather_cosm;
extern const struct bench_side gather_2_cosm;
extern const struct bench_side scatter_cosm;
extern const struct bench_side world_make_cosm;
extern const struct bench_side world_make_growing_cosm;
extern const struct bench_side world_mem_cosm;
extern const struct bench_side world_mem_growing_cosm;
extern const struct bench_side episodes_late;
extern const struct bench_side episodes_early;
extern const struct bench_side episodes_late_bytes;
extern const struct bench_side episodes_early_bytes;
extern const struct bench_side par1_cosm;
extern const struct bench_side par2_cosm;
extern const struct bench_side break_even_serial;
extern const struct bench_side break_even_chunks;
extern const struct bench_side break_even_auto;
extern const struct bench_side system_empty_cosm;
extern const struct bench_side system_empty_rowless_cosm;
extern const struct bench_side system_empty_2_cosm;
extern const struct bench_side step_empty_cosm;

extern const struct bench_side split2_cosm;
extern const struct bench_side sector_addrem_cosm;
extern const struct bench_side sector_addrem_rand_cosm;
extern const struct bench_side sector_addrem_one_cosm;
extern const struct bench_side sector_addrem_rand_one_cosm;
extern const struct bench_side sector_iter2_cosm;
extern const struct bench_side sector_view_cosm;
extern const struct bench_side sector_entity_cosm;
extern const struct bench_side sector_entity_walk_cosm;
extern const struct bench_side pin_cosm;
extern const struct bench_side sector_churn_all;
extern const struct bench_side sector_churn_part;
extern const struct bench_side sector_churn_down;
extern const struct bench_side sector_churn_down_part;
extern const struct bench_side sector_churn_fifo;
extern const struct bench_side sector_churn_fifo_part;
extern const struct bench_side change_walk_cosm;
extern const struct bench_side patch_create_cosm;
extern const struct bench_side patch_apply_cosm;
extern const struct bench_side fork_cosm;
extern const struct bench_side fork_growing_cosm;
extern const struct bench_side fork_tracked_cosm;
extern const struct bench_side snap_1pct_cosm;
extern const struct bench_side restore_1pct_cosm;
extern const struct bench_side snap_worlds_cosm;
extern const struct bench_side restore_worlds_cosm;
extern const struct bench_side restore_tables_one;
extern const struct bench_side restore_tables_parts;
extern const struct bench_side diff_tables_one;
extern const struct bench_side diff_tables_parts;
extern const struct bench_side save_cosm;
extern const struct bench_side save_durable_cosm;
extern const struct bench_side load_cosm;
extern const struct bench_side snap_ready_large;
extern const struct bench_side snap_ready_large_plain;
extern const struct bench_side snap_ready_worlds;
extern const struct bench_side snap_ready_worlds_plain;
extern const struct bench_side change_iter2_cosm;
extern const struct bench_side shared_walk_cosm;
extern const struct bench_side shared_set_cosm;
extern const struct bench_side shared_set_all_cosm;
extern const struct bench_side math_sin_cosm;
extern const struct bench_side math_cos_cosm;
extern const struct bench_side math_sin_cos_cosm;
extern const struct bench_side math_tan_cosm;
extern const struct bench_side math_atan2_cosm;
extern const struct bench_side math_exp_cosm;
extern const struct bench_side math_log_cosm;
extern const struct bench_side math_pow_cosm;
extern const struct bench_side math_sin_many_cosm;
extern const struct bench_side math_cos_many_cosm;
extern const struct bench_side math_sin_cos_many_cosm;
extern const struct bench_side math_atan2_many_cosm;
extern const struct bench_side math_exp_many_cosm;
extern const struct bench_side math_log_many_cosm;
#ifdef BENCH_SIM
extern const struct bench_side cartpole_cosm;
extern const struct bench_side cartpole_limit;
#endif
#ifdef BENCH_XXHASH
extern const struct bench_side hash_cosm;
extern const struct bench_side hash_again_cosm;
extern const struct bench_side hash_limit;
#endif
#ifdef BENCH_TEXT
extern const struct bench_side json_save_cosm;
extern const struct bench_side json_load_cosm;
extern const struct bench_side json_save_limit;
extern const struct bench_side json_load_limit;
#endif
#ifdef BENCH_JANSSON
extern const struct bench_side json_jansson;
#endif
#ifdef BENCH_CJSON
extern const struct bench_side json_cjson;
#endif

// Collects what the lines of break_even say; the last one prints where two workers begin to win.
void break_even_after(const struct bench_row *row, struct bench_result result);

extern const struct bench_side iter2_limit;
extern const struct bench_side frag26_limit;
extern const struct bench_side mix7_limit;
extern const struct bench_side spawn1_limit;
extern const struct bench_side spawn_sector_limit;
extern const struct bench_side spawn_shared_limit;
extern const struct bench_side spawn_template_limit;
extern const struct bench_side spawn_cold_limit;
extern const struct bench_side spawn_bulk_limit;
extern const struct bench_side despawn1_limit;
extern const struct bench_side despawn_rand_limit;
extern const struct bench_side despawn_query_limit;
extern const struct bench_side addrem1_limit;
extern const struct bench_side addrem_query_limit;
extern const struct bench_side get_rand_limit;
extern const struct bench_side mem_limit;
extern const struct bench_side worlds_limit;
extern const struct bench_side worlds_2_limit;
extern const struct bench_side gather_limit;
extern const struct bench_side world_make_limit;
extern const struct bench_side world_mem_limit;
extern const struct bench_side par2_limit;
extern const struct bench_side split2_limit;
extern const struct bench_side sector_addrem_limit;
extern const struct bench_side sector_addrem_rand_limit;
extern const struct bench_side sector_iter2_limit;
extern const struct bench_side sector_view_limit;
extern const struct bench_side pin_limit;
extern const struct bench_side change_walk_limit;
extern const struct bench_side fork_limit;
extern const struct bench_side save_limit;
extern const struct bench_side save_durable_limit;
extern const struct bench_side load_limit;
extern const struct bench_side math_sin_limit;
extern const struct bench_side math_cos_limit;
extern const struct bench_side math_sin_cos_limit;
extern const struct bench_side math_tan_limit;
extern const struct bench_side math_atan2_limit;
extern const struct bench_side math_exp_limit;
extern const struct bench_side math_log_limit;
extern const struct bench_side math_pow_limit;
extern const struct bench_side snap_worlds_limit;
extern const struct bench_side patch_limit;
extern const struct bench_side snap_1pct_limit;
extern const struct bench_side restore_1pct_limit;
extern const struct bench_side shared_walk_limit;
extern const struct bench_side shared_set_limit;
extern const struct bench_side shared_set_all_limit;
extern const struct bench_side system_empty_limit;
extern const struct bench_side step_empty_limit;

#endif
