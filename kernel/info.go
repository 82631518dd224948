package kernel

import (
	"context"

	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

type kernelInfoReply struct {
	Status            string     `json:"status"`
	ProtocolVersion   string     `json:"protocol_version"`
	Implementation    string     `json:"implementation"`
	Version           string     `json:"implementation_version"`
	LanguageInfo      Language   `json:"language_info"`
	Banner            string     `json:"banner"`
	Debugger          bool       `json:"debugger"`
	HelpLinks         []HelpLink `json:"help_links"`
	SupportedFeatures []string   `json:"supported_features"`
}

// featureSubshells is how front ends learn that they may create subshells.
const featureSubshells = "kernel subshells"

// kernelInfo needs no worker: it is answered while that one starts.
func (k *Kernel) kernelInfo(context.Context, *request) (any, error) {
	links := k.info.HelpLinks
	if links == nil {
		links = []HelpLink{}
	}
	return kernelInfoReply{
		Status: "ok", ProtocolVersion: wire.ProtocolVersion,
		Implementation: k.info.Implementation, Version: k.info.Version,
		LanguageInfo: k.info.Language, Banner: k.info.Banner,
		HelpLinks: links, SupportedFeatures: []string{featureSubshells},
	}, nil
}

type connectReply struct {
	Status      string `json:"status"`
	ShellPort   int    `json:"shell_port"`
	IOPubPort   int    `json:"iopub_port"`
	StdinPort   int    `json:"stdin_port"`
	ControlPort int    `json:"control_port"`
	HBPort      int    `json:"hb_port"`
}

// connect tells the ports; the protocol has deprecated it, old clients ask.
func (k *Kernel) connect(context.Context, *request) (any, error) {
	f := k.file
	return connectReply{"ok", f.ShellPort, f.IOPubPort, f.StdinPort, f.ControlPort, f.HBPort}, nil
}
