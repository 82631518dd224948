/* A stand-in for the NVTX library: it counts ranges and keeps the latest name. */
#include <stdint.h>
#include <string.h>
static uint64_t next = 41;
static int open_ranges, started;
static char latest[256];
uint64_t nvtxRangeStartA(const char *name) { strncpy(latest, name, sizeof latest - 1); open_ranges++; started++; return ++next; }
void nvtxRangeEnd(uint64_t id) { if (id > 41 && id <= next) open_ranges--; }
const char *stand_in_latest(void) { return latest; }
int stand_in_open(void) { return open_ranges; }
int stand_in_started(void) { return started; }
