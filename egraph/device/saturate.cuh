// Words and codes of saturate.cu; device/layout.go has the same numbers.
enum { BLOCK = 256, LEVELS = 16, CHUNK = 32, SPLIT = 512, SEGMENT = 128, PATIENCE = 256 };
enum : u64 { PAUSE = 100000000 }; // nanoseconds after which a launch ends with its iteration, for the host to be heard
enum : u32 { NONE = 0xffffffffu, LOW = (1u << 27) - 1, LEAF = 1, PAIR = 2 };

// Words of the state. Those from COUNTER on start at 0 in every iteration.
enum { BARRIER, STATUS, RAW, IDS, CURRENT, DONE, REDO, EXTRA, BEFORE, LIVE_ROWS, ROOTLIST, USED,
	COUNTER, BUMP = COUNTER, FLAG, MERGED, MERGED_ODD, WORK, TASK_WORK, TASKS, RECORDS, LIVE, PAIRS, ROOTS, STATE_WORDS, COUNTERS = STATE_WORDS - COUNTER };

// What ends a launch. A flag of an iteration is one of these; up to STOP_TIME it is closed nonetheless.
enum { RUNNING, STOP_NODES, STOP_TIME, STOP_SATURATED, STOP_ITERATIONS, GROW_ROWS, GROW_IDS, GROW_TABLE, GROW_BUCKETS };

// Words of a program's head, of a rule and of a step.
enum { OPS, RULES, GROUNDS, JOINS, WANTS_ROOTS, JOIN_OF, JOINED, GROUND_AT, RULE_AT, SLOTS, LEVELS_USED };
enum { RULE_STEPS, RULE_INSTRUCTIONS, RULE_RIGHT, RULE_ROOT, RULE_RESULT, RULE_WORDS };
enum { STEP_SIZE, STEP_KIND, STEP_OP, STEP_JOIN, STEP_ON, STEP_CLASS, STEP_CHECKS, STEP_BINDS, STEP_CARRY, STEP_FIRST, STEP_LIVE, STEP_WORDS };
enum { SCAN_TABLE, JOIN_CLASS, SCAN_CLASSES, ONE_CLASS };
enum { WITH_SLOT, WITH_KID, WITH_GROUND };
enum { REPORT_WORDS = 12 };

struct Capacity { u32 rows, ids, slots, nodes, iterations; };

struct World {
	u32 *state;
	const u32 *program;
	u32 *tables;
	u64 *stats;
	u32 *parent;
	uint2 *buckets;
	u64 *table;
	u32 *roots, *paired; // the classes that patterns stand for; by id, whether it is a pair's
	uint4 *tasks;
	u32 *records;
	u32 capTasks, capRecords;
	u64 *keys;
	u32 *classes;
	u64 deadline, pause;
	u32 first, step, lane, due, mask, rows, ids, limit, reason, spare;
	u32 *total, *base, *cursor, *ground, *chunks; // in tables
	// Shared memory of this warp, 32 lanes wide: partial matches, of which a step writes STEP_LIVE registers from
	// slot STEP_FIRST on; behind them the candidates of each level: where they start for each of 32 partial
	// matches, and how many there are of it and those before it.
	u32 *slot;
	u32 slots, levels;
};

__device__ __forceinline__ u32 *startOf(World &w, u32 level) { return w.slot + 32 * (w.slots + level); }
__device__ __forceinline__ u32 *sumOf(World &w, u32 level) { return w.slot + 32 * (w.slots + w.levels + level); }

__device__ __forceinline__ u32 opOf(u64 key) { return (u32)(key >> 54); }
__device__ __forceinline__ u32 leftOf(u64 key) { return (u32)(key >> 27) & LOW; }
__device__ __forceinline__ u32 rightOf(u64 key) { return (u32)key & LOW; }
__device__ __forceinline__ u64 now() { u64 t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }

__device__ __forceinline__ void raise(u32 *p, u32 bit) { if (!(peek(p) & bit)) atomicOr(p, bit); }
