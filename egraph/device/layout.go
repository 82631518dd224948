package device

// Words and codes of saturate.cuh.
const (
	leafCode, pairCode, firstCode = 1, 2, 3
	opBits, idBits                = 10, 27
	levels, slots                 = 16, 128
	none                          = ^uint32(0)
)

// Words of the state.
const (
	stateBarrier = iota
	stateStatus
	stateRaw
	stateIDs
	stateCurrent
	stateDone
	stateRedo
	stateWords = 32
)

// What ends a launch.
const (
	running = iota
	stopNodes
	stopTime
	stopSaturated
	stopIterations
	growRows
	growIDs
	growTable
	growBuckets
)

// Words of a program's head and of an iteration's report.
const (
	headOps = iota
	headRules
	headGrounds
	headJoins
	headWantsRoots
	headJoinOf
	headJoined
	headGroundAt
	headRuleAt
	headSlots
	headLevels
	headWords
)

const (
	reportMatches = iota
	reportAdded
	reportUnions
	reportNodes
	reportClasses
	reportRounds
	reportPrepare
	reportMatch
	reportRebuild
	reportTasks
	reportRows
	reportSlots
	reportWords
)
