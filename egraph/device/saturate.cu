// Equality saturation, whole iterations in one cooperative launch: the rows are indexed by operator and class, a
// compiled rule set is matched against them, right sides are made, classes merged, congruence closed, and again,
// until nothing changes or a limit is met. saturate.go launches it, program.go writes the program it interprets.
//
// A row is a 64-bit key, operator << 54 | left child << 27 | right child, and a class. Operators 1 and 2 are
// LEAF, whose left child is the number of an atom and no class, and PAIR, of which rows of more than two
// children are made. Key 0 is a row that stands no more.
//
// An iteration is these phases, with a barrier of the grid between them (r rows, b = joined operators * ids):
//   clear    empties buckets and table (8 bytes each)
//   count    counts rows by operator and by (joined operator, class) (12 bytes a row, one atomic)
//   place    gives every bucket its range in the rows of its operator (8 bytes a bucket), and lists the classes where a
//            pattern is a variable (8 bytes an id)
//   move     writes the rows into the other pool, sorted by operator, then class, and puts them into the hash
//            table (12 bytes read and written a row, one slot): the pool is its own index
//   match    (matcher.cuh) enumerates, checks, and makes right sides: a look-up in the table finds a row or
//            claims its slot, a new row is allocated from a counter that is checked against every capacity
//            before anything is written; it reads the rows that were there when the iteration began alone
//   close    rounds of flatten (8 bytes an id) and canonicalise-and-insert (8 bytes a row); a round inserts
//            rows whose key changed, until one merges nothing; then the table is emptied and all rows
//            inserted: that finds the duplicates, and proves the fixpoint, or goes on
// Bounds: a row's index is below every one of the pool's, the forest's and 3/4 of the table's capacity, so probes
// meet an empty slot; an iteration that needs more leaves the graph as it was before and says what must grow.
#include "forest.cuh"
#include "saturate.cuh"
#include "matcher.cuh"

// count counts rows by operator and bucket, and notes which classes are pairs' where a pattern wants the others.
__device__ void count(World &w, const u64 *keys, const u32 *classes, u32 raw, bool redo) {
	for (u32 i = w.first; i < raw; i += w.step) {
		u64 key = keys[i];
		if (!key) continue;
		u32 op = opOf(key), join = w.program[w.program[JOIN_OF] + op];
		if (op == PAIR && w.program[WANTS_ROOTS]) w.paired[w.parent[classes[i]]] = 1;
		u32 peers = __match_any_sync(__activemask(), op);
		if (w.lane == __ffs(peers) - 1) atomicAdd(w.total + op, __popc(peers));
		if (join == NONE) continue;
		u32 class_ = redo ? classes[i] : w.parent[classes[i]];
		atomicAdd(&w.buckets[(u64)join * w.ids + class_].y, 1);
	}
}

// list lists the classes that a pattern may stand for, which pairs' are not: they are the device's own.
__device__ void list(World &w) {
	for (u32 i = w.first; i < w.ids; i += w.step)
		if (w.parent[i] == i && !w.paired[i]) w.roots[bump(w.state + ROOTLIST)] = i;
}

// bases gives every operator its range, by one thread.
__device__ void bases(World &w) {
	u32 sum = 0;
	for (u32 op = 0; op < w.program[OPS]; op++) {
		u32 n = w.total[op];
		w.base[op] = w.cursor[op] = sum;
		sum += n;
	}
	w.state[LIVE_ROWS] = sum;
}

// place gives buckets their ranges; their counts start anew, for move to count up. Buckets of one operator lie
// side by side, so a warp takes the ranges of 32 with one atomic, but where operators meet.
__device__ void place(World &w) {
	const u64 n = (u64)w.program[JOINS] * w.ids;
	for (u64 from = w.first - w.lane; from < n; from += w.step) {
		u64 i = from + w.lane;
		u32 size = i < n ? w.buckets[i].y : 0, join = (u32)(min(i, n - 1) / w.ids), *cursor = w.cursor + w.program[w.program[JOINED] + join], at, sum = size;
		if (__all_sync(NONE, join == __shfl_sync(NONE, join, 0))) {
			for (u32 d = 1; d < 32; d *= 2) { u32 before = __shfl_up_sync(NONE, sum, d); if (w.lane >= d) sum += before; }
			if (w.lane == 31 && sum) at = atomicAdd(cursor, sum);
			at = __shfl_sync(NONE, at, 31) + sum - size;
		} else if (size) at = atomicAdd(cursor, size);
		if (size) w.buckets[i] = make_uint2(at, 0);
	}
}

// move sorts the rows into the other pool and puts them into the table: they are distinct.
__device__ void move(World &w, const u64 *keys, const u32 *classes, u32 raw, bool redo) {
	for (u32 i = w.first; i < raw; i += w.step) {
		u64 key = keys[i];
		if (!key) continue;
		u32 op = opOf(key), join = w.program[w.program[JOIN_OF] + op], class_ = redo ? classes[i] : w.parent[classes[i]], at;
		if (join == NONE) {
			u32 peers = __match_any_sync(__activemask(), op), leader = __ffs(peers) - 1;
			if (w.lane == leader) at = atomicAdd(w.cursor + op, __popc(peers));
			at = __shfl_sync(peers, at, leader) + __popc(peers & ((1u << w.lane) - 1));
		} else {
			uint2 *b = w.buckets + (u64)join * w.ids + class_;
			at = b->x + atomicAdd(&b->y, 1);
		}
		w.keys[at] = key;
		w.classes[at] = class_;
		u64 h = mix(key), word = h >> 32 << 32 | (at + 1);
		for (u32 s = (u32)h & w.mask; atomicCAS(w.table + s, 0ULL, word); s = (s + 1) & w.mask) {}
	}
}

// grounds finds the classes of the terms without variables, children first, and divides the first steps of
// the rules into chunks; by one thread.
__device__ void grounds(World &w) {
	const u32 *p = w.program;
	for (u32 g = 0; g < p[GROUNDS]; g++) {
		const u32 *term = p + p[GROUND_AT] + 3 * g;
		u64 key = (u64)term[0] << 54;
		bool there = true;
		if (term[0] == LEAF) key |= (u64)term[1] << 27;
		else for (int side = 0; side < 2; side++) {
			if (term[1 + side] == NONE) continue;
			u32 kid = w.ground[term[1 + side]];
			there = there && kid != NONE;
			key |= (u64)(kid & LOW) << (side ? 0 : 27);
		}
		w.ground[g] = there ? lookup(w, key) : NONE;
	}
	u32 sum = 0;
	for (u32 r = 0; r < p[RULES]; r++) {
		w.chunks[r] = sum;
		u32 start, n;
		range(w, p + p[p[RULE_AT] + r] + RULE_WORDS, 0, start, n);
		sum += (n + CHUNK - 1) / CHUNK;
	}
	w.chunks[p[RULES]] = sum;
}

// settle puts a row whose key is new into the table, or finds its equal and merges the classes. It says
// whether the row is the first of its key.
__device__ bool settle(World &w, u32 row, u64 key, u32 *merged) {
	u64 h = mix(key), word = h >> 32 << 32 | (row + 1);
	__threadfence(); // the key before the slot
	for (u32 s = (u32)h & w.mask;; s = (s + 1) & w.mask) {
		u64 old = peek(w.table + s);
		if (!old) old = atomicCAS(w.table + s, 0ULL, word);
		if (!old) return true;
		if (old >> 32 != word >> 32) continue;
		u32 other = (u32)old - 1;
		if (other == row) return true;
		if (peek(w.keys + other) != key) continue;
		if (unite(w.parent, w.classes[row], w.classes[other])) raise(merged, 1);
		return false;
	}
}

// round_ flattens the forest, canonicalises the rows and inserts those that changed, or all.
__device__ void round_(World &w, u32 rows, u32 ids, bool full, u32 used, u32 *merged, u32 *other) {
	const u32 most = w.mask - w.mask / 8, quota = quotaOf(used, most, w.step);
	u32 roots = 0, live = 0, pairs = 0, claimed = 0;
	if (full) for (u32 i = w.first; i <= w.mask; i += w.step) w.table[i] = 0;
	for (u32 i = w.first; i < ids; i += w.step) {
		u32 p = peek(w.parent + i);
		if (p == i) { roots++; continue; }
		u32 r = root(w.parent, p);
		if (r != p) poke(w.parent + i, r);
	}
	if (w.first == 0) { w.state[LIVE] = w.state[PAIRS] = 0; poke(w.state + USED, used); }
	barrier(w.state + BARRIER, w.due);
	if (w.first == 0) { *other = 0; w.state[ROOTS] = 0; }
	for (u32 i = w.first; i < rows; i += w.step) {
		u64 old = peek(w.keys + i), key = old;
		if (!old) continue;
		if (opOf(old) != LEAF) key = old >> 54 << 54 | (u64)peek(w.parent + leftOf(old)) << 27 | peek(w.parent + rightOf(old));
		if (key != old) poke(w.keys + i, key);
		if (!full && key == old) continue;
		if (!full && !claim(w.state + USED, most, quota, claimed)) { raise(merged, 2); continue; }
		bool firstOf = settle(w, i, key, merged);
		if (!full) continue;
		if (!firstOf) poke(w.keys + i, 0ULL);
		else if (live++, opOf(key) == PAIR) pairs++;
	}
	if (!full) add(w.state + USED, min(claimed, quota));
	add(w.state + LIVE, live);
	add(w.state + PAIRS, pairs);
	barrier(w.state + BARRIER, w.due);
	add(w.state + ROOTS, roots); // read after the next barrier
}

// close runs rounds to the fixpoint and gives how many.
__device__ u32 close(World &w, u32 rows, u32 ids) {
	bool full = false;
	for (u32 n = 0, used = rows;; n++) {
		u32 *merged = w.state + MERGED + (n & 1);
		round_(w, rows, ids, full, used, merged, w.state + MERGED + (~n & 1));
		u32 m = peek(merged);
		if (!m && full) return n + 1;
		full = m & 2 || !m;
		used = full ? rows : peek(w.state + USED);
	}
}

// begin indexes the graph and empties the table.
__device__ void begin(World &w, u64 *const *keys, u32 *const *classes) {
	u32 now = w.state[CURRENT], raw = w.state[RAW];
	bool redo = w.state[REDO];
	const u64 buckets = (u64)w.program[JOINS] * w.ids;
	for (u64 i = w.first; i < buckets; i += w.step) w.buckets[i] = make_uint2(0, 0);
	for (u32 i = w.first; i <= w.mask; i += w.step) w.table[i] = 0;
	for (u32 i = w.first; i < w.program[OPS]; i += w.step) w.total[i] = 0;
	for (u32 i = w.first; i < 3 * w.program[RULES]; i += w.step) w.stats[i] = 0;
	if (w.program[WANTS_ROOTS]) for (u32 i = w.first; i < w.ids; i += w.step) w.paired[i] = 0;
	if (w.first < COUNTERS) w.state[COUNTER + w.first] = 0;
	if (w.first == 0 && !redo) w.state[ROOTLIST] = 0;
	barrier(w.state + BARRIER, w.due);
	count(w, keys[now], classes[now], raw, redo);
	barrier(w.state + BARRIER, w.due);
	if (w.first == 0) bases(w);
	barrier(w.state + BARRIER, w.due);
	place(w);
	if (w.program[WANTS_ROOTS] && !redo) list(w);
	barrier(w.state + BARRIER, w.due);
	w.keys = keys[1 - now], w.classes = classes[1 - now];
	move(w, keys[now], classes[now], raw, redo);
	w.rows = w.state[LIVE_ROWS];
	if (w.first == 0) w.state[BUMP] = w.rows;
	barrier(w.state + BARRIER, w.due);
	if (w.first == 0) grounds(w);
	barrier(w.state + BARRIER, w.due);
}

// size chooses the table for an iteration: room for the rows to multiply twice as much as they did last.
__device__ void size(World &w, const Capacity &c, u32 extra) {
	u32 raw = w.state[RAW], before = max(w.state[BEFORE], 1u);
	u32 times = min(64u, max(8u, 4 * (raw / before)));
	u64 slots = 1024;
	while (slots < (u64)raw * times) slots *= 2;
	slots = min((u64)c.slots, slots << extra);
	w.mask = (u32)(slots - 1);
}

// bound finds the rows that may be, and what binds them.
__device__ void bound(World &w, const Capacity &c) {
	w.limit = c.nodes + 1, w.reason = STOP_NODES;
	u32 ids = w.rows + (c.ids - w.ids), slots = (w.mask + 1) / 4 * 3;
	if (w.limit > c.rows) w.limit = c.rows, w.reason = GROW_ROWS;
	if (w.limit > ids) w.limit = ids, w.reason = GROW_IDS;
	if (w.limit > slots) w.limit = slots, w.reason = GROW_TABLE;
}

// record closes the books of an iteration, by one thread: what happened, and whether to go on.
__device__ void record(World &w, const Capacity &c, u64 *reports, u32 rows, u32 ids, u32 rounds, const u64 *times) {
	u32 *s = w.state, live = s[LIVE], pairs = s[PAIRS], flag = s[FLAG];
	u64 *r = reports + (u64)s[DONE] * REPORT_WORDS, matches = 0, nodes = 0, unions = 0;
	for (u32 i = 0; i < w.program[RULES]; i++) {
		u64 *of = w.stats + 3 * i, *all = w.stats + 3 * (w.program[RULES] + i);
		matches += of[0], nodes += of[1], unions += of[2];
		for (int k = 0; k < 3; k++) all[k] += of[k];
	}
	u64 words[REPORT_WORDS] = {matches, nodes, unions, live - pairs, s[ROOTS] - pairs, rounds, times[1] - times[0], times[2] - times[1], times[3] - times[2], s[TASKS], rows, w.mask + 1ULL};
	for (int k = 0; k < REPORT_WORDS; k++) r[k] = words[k];
	s[BEFORE] = w.rows, s[RAW] = rows, s[IDS] = ids, s[CURRENT] = 1 - s[CURRENT], s[REDO] = s[EXTRA] = 0;
	s[DONE]++;
	if (flag) s[STATUS] = flag;
	else if (!nodes && !unions) s[STATUS] = STOP_SATURATED;
	else if (live - pairs > c.nodes) s[STATUS] = STOP_NODES;
	else if (s[DONE] >= c.iterations || now() > w.pause) s[STATUS] = STOP_ITERATIONS;
}

// again undoes an iteration that met a capacity, by one thread: its rows are forgotten. What it merged is
// merged again when it is run again.
__device__ void again(World &w) {
	u32 *s = w.state, flag = s[FLAG];
	s[RAW] = w.rows, s[CURRENT] = 1 - s[CURRENT], s[REDO] = 1;
	if (flag == GROW_TABLE) s[EXTRA] += 2;
	else s[STATUS] = flag;
}

extern "C" __global__ void __launch_bounds__(BLOCK, 4) eg_saturate(u32 *state, const u32 *program, u32 *tables, u64 *stats, u64 *reports, u64 *keys0, u64 *keys1,
	u32 *classes0, u32 *classes1, u32 *parent, uint2 *buckets, u64 *table, u32 *roots, uint4 *tasks, u32 *records, u32 capRows, u32 capIDs, u32 capSlots,
	u64 capBuckets, u32 capTasks, u32 capRecords, u32 nodes, u32 iterations, u64 nanoseconds
) {
	extern __shared__ u32 shared[];
	const Capacity c = {capRows, capIDs, capSlots, nodes, iterations};
	World w = {state, program, tables, stats, parent, buckets, table, roots, roots + capIDs, tasks, records, capTasks, capRecords};
	w.deadline = now() + nanoseconds, w.pause = now() + PAUSE;
	w.first = blockIdx.x * BLOCK + threadIdx.x, w.step = gridDim.x * BLOCK, w.lane = threadIdx.x & 31;
	w.slots = program[SLOTS], w.levels = program[LEVELS_USED], w.slot = shared + threadIdx.x / 32 * 32 * (w.slots + 2 * w.levels);
	w.total = tables, w.base = w.total + program[OPS], w.cursor = w.base + program[OPS], w.ground = w.cursor + program[OPS], w.chunks = w.ground + program[GROUNDS];
	u64 *const keys[2] = {keys0, keys1};
	u32 *const classes[2] = {classes0, classes1};
	u64 times[4];
	while (!state[STATUS]) {
		w.ids = state[IDS];
		if ((u64)program[JOINS] * w.ids > capBuckets) {
			barrier(state + BARRIER, w.due); // everybody has read the status
			if (w.first == 0) state[STATUS] = GROW_BUCKETS;
			return;
		}
		times[0] = now();
		size(w, c, state[EXTRA]);
		begin(w, keys, classes);
		bound(w, c);
		times[1] = now();
		match(w);
		barrier(state + BARRIER, w.due);
		u32 flag = state[FLAG], rows = min(state[BUMP], w.limit), ids = w.ids + rows - w.rows, rounds = 0;
		times[2] = now();
		if (flag <= STOP_TIME) {
			rounds = close(w, rows, ids);
			barrier(state + BARRIER, w.due);
		}
		times[3] = now();
		if (w.first == 0) flag <= STOP_TIME ? record(w, c, reports, rows, ids, rounds, times) : again(w);
		barrier(state + BARRIER, w.due);
	}
}
