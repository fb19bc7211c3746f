// What both sources see: its names stay as they are.
#ifndef BASE_PAIR_H
#define BASE_PAIR_H

struct pair {
    int clear; // as a function of either source is called
    int total;
};

extern int cosmi_calls;

int cosmi_pair_sum(const struct pair *pair);

#endif
