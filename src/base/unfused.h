// Floating point that rounds the same everywhere: each product and each sum on its own.
//
// Every function with a product and a sum in it whose result may reach state is marked UNFUSED. The
// build says -ffp-contract=off for all files; the mark is for the two-file form of the library,
// which is compiled with flags we do not choose. gcc then fuses products and sums unless the
// function is marked, and clang unless it sees the pragma.
#ifndef COSM_BASE_UNFUSED_H
#define COSM_BASE_UNFUSED_H

#if defined(__GNUC__) && !defined(__clang__)
#define UNFUSED __attribute__((optimize("fp-contract=off")))
#else
#pragma STDC FP_CONTRACT OFF
#define UNFUSED
#endif

#endif
