package ptx

// specials are the special registers of section 10 with their types.
var specials = func() map[string]Type {
	m := map[string]Type{
		"%laneid": U32, "%warpid": U32, "%nwarpid": U32, "%smid": U32, "%nsmid": U32, "%gridid": U64,
		"%is_explicit_cluster": Pred, "%cluster_ctarank": U32, "%cluster_nctarank": U32,
		"%lanemask_eq": U32, "%lanemask_le": U32, "%lanemask_lt": U32, "%lanemask_ge": U32, "%lanemask_gt": U32,
		"%clock": U32, "%clock_hi": U32, "%clock64": U64,
		"%globaltimer": U64, "%globaltimer_lo": U32, "%globaltimer_hi": U32,
		"%total_smem_size": U32, "%aggr_smem_size": U32, "%dynamic_smem_size": U32, "%current_graph_exec": U64,
		"%reserved_smem_offset_begin": U32, "%reserved_smem_offset_end": U32, "%reserved_smem_offset_cap": U32,
		"%reserved_smem_offset_0": B32, "%reserved_smem_offset_1": B32,
	}
	for _, name := range []string{"%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid", "%cluster_ctaid",
		"%cluster_nctaid"} {
		for _, c := range []string{".x", ".y", ".z"} {
			m[name+c] = U32
		}
	}
	for i := range 32 {
		m["%envreg"+itoa(i)] = B32
	}
	for i := range 8 {
		m["%pm"+itoa(i)] = U32
		m["%pm"+itoa(i)+"_64"] = U64
	}
	return m
}()

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + itoa(i%10)
}

// IsSpecial reports whether name is a special register, such as "%tid.x".
func IsSpecial(name string) bool { _, ok := specials[name]; return ok }

// SpecialType gives the type of a special register.
func SpecialType(name string) Type { return specials[name] }
