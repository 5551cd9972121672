/* What the targets' own mutators share. libFuzzer calls LLVMFuzzerCustomMutator, which may call
 * back for an ordinary mutation. */
#ifndef WM_FUZZ_MUTATE_H
#define WM_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t bytes, size_t most);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most, unsigned seed);

/* A pseudo-random number; the same ones follow from the same seed. */
unsigned wm_mutate_random(unsigned *seed);

/* Mutates the part of the data that starts there, without moving what follows it. */
void wm_mutate_in_place(uint8_t *data, size_t bytes, size_t start, size_t part);

#endif
