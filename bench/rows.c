// The list of rows: name, number of items, bar, and the two sides.
#include "rows.h"

const struct bench_row bench_rows[] = {
    {"iter2", 1000000, 1.05, &iter2_cosm, &iter2_limit},
    {"iter2", 10000, 1.10, &iter2_cosm, &iter2_limit},
    {"iter2", 1000, 1.15, &iter2_cosm, &iter2_limit},
    {"iter2", 1, 2.5, &iter2_cosm, &iter2_limit},
    {"frag26", 10000, 1.3, &frag26_cosm, &frag26_limit},
    {"frag26", 520, 2.5, &frag26_cosm, &frag26_limit},
    {"mix7", 10000, 1.05, &mix7_cosm, &mix7_limit},
    {"spawn1", 100000, 2.5, &spawn1_cosm, &spawn1_limit},
    {"spawn_cold", 1000000, 0.5, &spawn_cold_cosm, &spawn_cold_limit},
    {"spawn_bulk", 100000, 1.1, &spawn_bulk_cosm, &spawn_bulk_limit},
    {"despawn1", 100000, 1.5, &despawn1_cosm, &despawn1_limit},
    {"despawn_rand", 100000, 1.8, &despawn_rand_cosm, &despawn_rand_limit},
    {"despawn_query", 100000, 3, &despawn_query_cosm, &despawn_query_limit},
    {"addrem1", 100000, 1.8, &addrem1_cosm, &addrem1_limit},
    {"addrem_query", 100000, 0.5, &addrem_query_cosm, &addrem_query_limit},
    {"get_rand", 10000, 3, &get_rand_cosm, &get_rand_limit},
    {"get_rand", 1000000, 2.0, &get_rand_cosm, &get_rand_limit},
    {"get_rand_one", 10000, 3, &get_rand_one_cosm, &get_rand_limit},
    {"get_rand_one", 1000000, 2.0, &get_rand_one_cosm, &get_rand_limit},
    {"get_rand_many", 1000000, 0, &get_rand_many_cosm, &get_rand_limit},
    {"mem", 1000000, 46, &mem_cosm, &mem_limit},
};

const uint32_t bench_row_count = sizeof bench_rows / sizeof bench_rows[0];
