// A library without the entry point of environments, for tests of what loading it says.
extern int cosm_test_nothing;
int cosm_test_nothing = 1;
