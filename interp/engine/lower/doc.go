// Package lower compiles go/ssa functions into the ops of package machine.
//
// The way of a function: package link asks a unit (unit.go) for it; compile.go goes through its
// blocks, without what Go does not evaluate (package unevaluated). Passes decide before:
//
//	pass_leaf.go      functions that call nothing
//	pass_fold.go      what is computed inside the op of its only user
//	pass_live.go      which values share a slot (pass_coalesce.go); pass_layout.go gives the others
//	                  one each, constants too (pass_consts.go)
//	pass_stops.go     while ops are made: what they read and write, and where control leaves
//
// A table (table.go) maps each kind of instruction to the builder of its op, a file a family:
//
//	values            op_arith.go op_compare.go op_convert.go op_shift.go op_unary.go op_minmax.go
//	memory            op_memory.go op_index.go op_slice.go op_map.go op_range.go op_append.go
//	                  op_update.go (x op= y) op_unsafe.go
//	interfaces        op_iface.go op_assert.go op_invoke.go
//	functions         op_call.go op_wordcall.go op_closure.go op_builtin.go op_defer.go op_go.go
//	compiled Go       op_native.go op_keptcall.go op_intrinsic.go op_files.go
//	channels          op_chan.go op_select.go
//	control           op_control.go op_branch.go op_latch.go op_phi.go op_rangefunc.go
//
// What is folded becomes a closure that returns its value (expr.go, operand.go) or an address
// (address.go, access.go). Closures that differ in an operator and in where their operands come
// from are written by gen (fused_*.go). words.go has short names of package machine.
//
// Laws: what reads memory or may fail keeps its place among what writes or fails; every folded,
// fused or specialised form does what the general one does (machine.Machine.General); what cannot
// be executed as Go would is an *engine.Refusal when the unit is loaded, never a wrong result
// later.
package lower
