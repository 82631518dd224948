package vm

type raceTable struct{}
type raceState struct{}

func (b *block) resetRaces()          {}
func (b *block) noteFence()           {}
func (b *block) noteWarpSync()        {}
func (c *compiler) observe(a *access) {}
