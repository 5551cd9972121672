/* Traces keep all pieces. Only programs built without --trace-last take it from the archive. */
#include <stdint.h>

__attribute__((visibility("hidden"))) const uint64_t __waymark_trace_ring = 0;
