/* libFuzzer's entry. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	wm_fuzz_try(data, bytes);
	return 0;
}
