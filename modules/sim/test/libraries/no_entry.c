// A library that is no environment.
extern const int cosm_test_nothing;
const int cosm_test_nothing = 1;
