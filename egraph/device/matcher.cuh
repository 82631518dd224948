// Matching and right sides of saturate.cu. A warp takes 32 rows of a rule's first operator and walks the rule's
// steps depth first: 32 candidates at a time are checked, and those that pass become the partial matches whose
// candidates the next step enumerates, divided over the lanes by a prefix sum, so that lanes are busy however
// unequal the classes are. A step with very many candidates is cut into segments, for any warp to take in a next
// pass; where their queue is full the warp goes on itself. Candidates are 8 bytes read in order, mostly.

// lookup gives the class of a row, NONE where the table has no such row; no thread inserts meanwhile.
__device__ u32 lookup(World &w, u64 key) {
	u64 h = mix(key);
	for (u32 s = (u32)h & w.mask;; s = (s + 1) & w.mask) {
		u64 old = w.table[s];
		if (!old) return NONE;
		if (old >> 32 == h >> 32 && w.keys[(u32)old - 1] == key) return w.classes[(u32)old - 1];
	}
}

// intern gives the class of a row, which it makes where the table has none; NONE where a capacity is met. A
// new row is written before its slot is claimed; where another thread was faster it stays the lane's spare.
__device__ u32 intern(World &w, u64 key, u32 &made) {
	u64 h = mix(key);
	for (u32 s = (u32)h & w.mask;; s = (s + 1) & w.mask) {
		u64 old = peek(w.table + s);
		if (!old) {
			if (w.spare == NONE) {
				u32 row = bump(w.state + BUMP);
				if (row >= w.limit) { poke(w.state + FLAG, w.reason); return NONE; }
				w.spare = row;
			}
			u32 row = w.spare, id = w.ids + row - w.rows;
			poke(w.keys + row, key);
			poke(w.classes + row, id);
			poke(w.parent + id, id);
			__threadfence();
			old = atomicCAS(w.table + s, 0ULL, h >> 32 << 32 | (row + 1));
			if (!old) { w.spare = NONE; made++; return id; }
		}
		if (old >> 32 != h >> 32) continue;
		u32 row = (u32)old - 1;
		if (row < w.rows) { if (w.keys[row] == key) return w.classes[row]; }
		else if (peek(w.keys + row) == key) return w.ids + row - w.rows;
	}
}

// discard makes a spare row one that does not stand, its id one that nobody has.
__device__ void discard(World &w) {
	if (w.spare == NONE) return;
	poke(w.keys + w.spare, 0ULL);
	poke(w.classes + w.spare, 0);
	poke(w.parent + w.ids + w.spare - w.rows, 0);
}

// range gives the candidates of a step for one partial match: where they start, and how many.
__device__ void range(World &w, const u32 *step, u32 lane, u32 &start, u32 &n) {
	u32 on = step[STEP_ON];
	start = n = 0;
	switch (step[STEP_KIND]) {
	case SCAN_TABLE: start = w.base[step[STEP_OP]], n = w.total[step[STEP_OP]]; break;
	case JOIN_CLASS: {
		uint2 b = w.buckets[(u64)step[STEP_JOIN] * w.ids + w.slot[32 * on + lane]];
		start = b.x, n = b.y;
		break;
	}
	case SCAN_CLASSES: n = w.state[ROOTLIST]; break;
	default: n = w.ground[step[STEP_OP]] != NONE && (on == NONE || w.slot[32 * on + lane] == w.ground[step[STEP_OP]]);
	}
}

// take checks candidate `at` of a step for the partial match of lane `owner`, and writes the match of this lane.
__device__ bool take(World &w, const u32 *step, u32 at, u32 owner) {
	u32 *slot = w.slot, lane = w.lane, kid[2] = {0, 0}, kind = step[STEP_KIND], class_ = NONE;
	if (kind <= JOIN_CLASS) {
		u64 key = w.keys[at];
		kid[0] = leftOf(key), kid[1] = rightOf(key);
		if (step[STEP_CLASS] != NONE) class_ = w.classes[at];
	} else class_ = kind == SCAN_CLASSES ? w.roots[at] : w.ground[step[STEP_OP]];
	const u32 *p = step + STEP_WORDS;
	for (u32 i = 0; i < step[STEP_CHECKS]; i++, p += 3) {
		u32 with = p[1] == WITH_SLOT ? slot[32 * p[2] + owner] : p[1] == WITH_KID ? kid[p[2]] : w.ground[p[2]];
		if (kid[p[0]] != with) return false;
	}
	for (u32 i = 0; i < step[STEP_CARRY]; i++, p += 2) slot[32 * p[1] + lane] = slot[32 * p[0] + owner];
	for (u32 i = 0; i < step[STEP_BINDS]; i++, p += 2) slot[32 * p[1] + lane] = kid[p[0]];
	if (step[STEP_CLASS] != NONE) slot[32 * step[STEP_CLASS] + lane] = class_;
	return true;
}

// apply makes the right side of this lane's match and merges; false where a capacity is met.
__device__ bool apply(World &w, const u32 *rule, u32 &made, u32 &merged) {
	u32 *slot = w.slot, lane = w.lane;
	const u32 *in = w.program + rule[RULE_RIGHT];
	for (u32 i = 0; i < rule[RULE_INSTRUCTIONS]; i++, in += 5) {
		u32 id = in[4] == NONE ? NONE : w.ground[in[4]];
		if (id == NONE) {
			u32 left = in[0] == LEAF ? in[1] : slot[32 * in[1] + lane], right = in[2] == NONE ? 0 : slot[32 * in[2] + lane];
			id = intern(w, (u64)in[0] << 54 | (u64)left << 27 | right, made);
			if (id == NONE) return false;
		}
		slot[32 * in[3] + lane] = id;
	}
	u32 a = slot[32 * rule[RULE_ROOT] + lane], b = slot[32 * rule[RULE_RESULT] + lane];
	if (a != b && unite(w.parent, a, b)) merged++;
	return true;
}

// split leaves the candidates of a level, n in all, to a next pass, in segments, with the partial matches that
// step made of this warp's lanes that are live; false where there is no room.
__device__ bool split(World &w, const u32 *step, u32 rule, u32 level, u32 n, bool live) {
	u32 record = 0, task = 0, segments = (n + SEGMENT - 1) / SEGMENT;
	if (w.lane == 0) {
		if ((record = atomicAdd(w.state + RECORDS, 1)) < w.capRecords) task = atomicAdd(w.state + TASKS, segments);
	}
	record = __shfl_sync(NONE, record, 0), task = __shfl_sync(NONE, task, 0);
	if (record >= w.capRecords) return false;
	bool fits = task < w.capTasks && w.capTasks - task >= segments;
	// A queue that filled up meanwhile gets tasks without candidates up to its end.
	for (u32 i = w.lane; i < segments && task + i < w.capTasks && task < w.capTasks; i += 32)
		w.tasks[task + i] = fits ? make_uint4(rule | level << 24, record, i * SEGMENT, min(n, (i + 1) * SEGMENT)) : make_uint4(0, 0, 0, 0);
	if (!fits) return false;
	u32 *to = w.records + (u64)record * (w.slots + 2) * 32 + w.lane;
	if (live) for (u32 i = 0; i < step[STEP_LIVE]; i++) to[32 * i] = w.slot[32 * (step[STEP_FIRST] + i) + w.lane];
	to[32 * w.slots] = startOf(w, level)[w.lane];
	to[32 * w.slots + 32] = sumOf(w, level)[w.lane];
	return true;
}

// over says whether the iteration is to stop: a capacity was met, or the time is up.
__device__ bool over(World &w) {
	if (now() > w.deadline) poke(w.state + FLAG, STOP_TIME);
	return peek(w.state + FLAG);
}

// walk enumerates candidates from..to of a level, and all that follows from them.
__device__ void walk(World &w, u32 number, u32 level, u32 from, u32 to) {
	const u32 *p = w.program, *rule = p + p[p[RULE_AT] + number], *step = rule + RULE_WORDS;
	const u32 *steps[LEVELS];
	u32 at[LEVELS], end[LEVELS], top = level, made = 0, merged = 0, tiles = 0;
	u64 matches = 0;
	for (u32 i = 0; i < rule[RULE_STEPS]; i++, step += step[STEP_SIZE]) steps[i] = step;
	at[level] = from, end[level] = to;
	for (;;) {
		if (at[level] >= end[level]) {
			if (level == top) break;
			level--;
			continue;
		}
		if (++tiles % PATIENCE == 0 && __any_sync(NONE, over(w))) break;
		u32 c = at[level] + w.lane, owner = 0;
		bool is = c < end[level];
		at[level] += 32;
		const u32 *sum = sumOf(w, level);
		for (u32 half = 16; half; half /= 2) if (sum[owner + half - 1] <= c) owner += half;
		if (is) is = take(w, steps[level], startOf(w, level)[owner] + c - (owner ? sum[owner - 1] : 0), owner);
		__syncwarp();
		if (level + 1 == rule[RULE_STEPS]) {
			matches += __popc(__ballot_sync(NONE, is));
			if (__any_sync(NONE, is && !apply(w, rule, made, merged))) break;
			continue;
		}
		u32 start = 0, n = 0;
		if (is) range(w, steps[level + 1], w.lane, start, n);
		for (u32 d = 1; d < 32; d *= 2) { u32 before = __shfl_up_sync(NONE, n, d); if (w.lane >= d) n += before; }
		startOf(w, level + 1)[w.lane] = start, sumOf(w, level + 1)[w.lane] = n;
		__syncwarp();
		u32 all = __shfl_sync(NONE, n, 31);
		if (all > SPLIT && split(w, steps[level], number, level + 1, all, is)) continue;
		if (all) level++, at[level] = 0, end[level] = all;
	}
	made = __reduce_add_sync(NONE, made), merged = __reduce_add_sync(NONE, merged);
	u64 *stats = w.stats + 3 * number;
	if (w.lane == 0) {
		if (matches) atomicAdd(stats, matches);
		if (made) atomicAdd(stats + 1, (u64)made);
		if (merged) atomicAdd(stats + 2, (u64)merged);
	}
	__syncwarp();
}

// fetch takes the next number for a warp; NONE where the iteration is to stop.
__device__ u32 fetch(World &w, u32 *p) {
	u32 n = NONE;
	if (w.lane == 0 && !over(w)) n = atomicAdd(p, 1);
	return __shfl_sync(NONE, n, 0);
}

// match runs the rules over the rows, chunk by chunk, then the segments that were split off, until none is left.
__device__ void match(World &w) {
	const u32 rules = w.program[RULES], all = w.chunks[rules];
	w.spare = NONE;
	for (u32 chunk; (chunk = fetch(w, w.state + WORK)) < all;) {
		u32 low = 0, high = rules; // the last rule that starts at or before the chunk
		while (high - low > 1) { u32 mid = (low + high) / 2; if (w.chunks[mid] <= chunk) low = mid; else high = mid; }
		u32 start, n, from = (chunk - w.chunks[low]) * CHUNK;
		range(w, w.program + w.program[w.program[RULE_AT] + low] + RULE_WORDS, 0, start, n);
		startOf(w, 0)[w.lane] = start, sumOf(w, 0)[w.lane] = n;
		__syncwarp();
		walk(w, low, 0, from, min(n, from + CHUNK));
	}
	for (u32 done = 0, ready;; done = ready) {
		barrier(w.state + BARRIER, w.due);
		ready = min(peek(w.state + TASKS), w.capTasks);
		if (w.first == 0) poke(w.state + TASK_WORK, done);
		barrier(w.state + BARRIER, w.due);
		if (ready == done) break;
		for (u32 i; (i = fetch(w, w.state + TASK_WORK)) < ready;) {
			uint4 t = w.tasks[i];
			if (t.w == 0) continue;
			const u32 *from = w.records + (u64)t.y * (w.slots + 2) * 32 + w.lane;
			const u32 *step = w.program + w.program[w.program[RULE_AT] + (t.x & 0xffffff)] + RULE_WORDS;
			for (u32 before = t.x >> 24; before > 1; before--) step += step[STEP_SIZE];
			for (u32 s = 0; s < step[STEP_LIVE]; s++) w.slot[32 * (step[STEP_FIRST] + s) + w.lane] = from[32 * s];
			startOf(w, t.x >> 24)[w.lane] = from[32 * w.slots], sumOf(w, t.x >> 24)[w.lane] = from[32 * w.slots + 32];
			__syncwarp();
			walk(w, t.x & 0xffffff, t.x >> 24, t.z, t.w);
		}
	}
	discard(w);
}
