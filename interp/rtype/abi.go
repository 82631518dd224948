package rtype

import "github.com/vyre-kernel/vyre-kernel/interp/gorelease"

// The descriptors as this package calls them.
type (
	abiType     = gorelease.Type
	abiUncommon = gorelease.Uncommon
	abiMethod   = gorelease.Method
	abiArray    = gorelease.Array
	abiChan     = gorelease.Chan
	abiFunc     = gorelease.FuncType
	abiIface    = gorelease.Interface
	abiImethod  = gorelease.IMethod
	abiMap      = gorelease.Map
	abiPtr      = gorelease.Pointer
	abiSlice    = gorelease.Slice
	abiStruct   = gorelease.Struct
	abiField    = gorelease.Field
	abiItab     = gorelease.ITab
)

const (
	flagUncommon    = gorelease.FlagUncommon
	flagExtraStar   = gorelease.FlagExtraStar
	flagNamed       = gorelease.FlagNamed
	flagRegular     = gorelease.FlagRegular
	flagMaskOnNeed  = gorelease.FlagMaskOnNeed
	flagDirectIface = gorelease.FlagDirectIface

	maxMaskBytes = gorelease.MaxMaskBytes
	wordSize     = gorelease.WordSize
)
