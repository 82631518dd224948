// Command null is a kernel that does nothing: it answers every execute_request as if it were 1+1,
// and every complete_request with one name, from prepared texts. With the same client, its round
// trip is what no kernel can be faster than by much: most of it is the client's own work.
// lab/bench_kernel.py measures it beside the others.
//
//	null FILE (the connection file)
package main

import (
	"fmt"
	"log"
	"os"
	"runtime"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/transport"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// A published message, and the answers to requests: the reply, and what subscribers get.
type (
	message struct{ kind, content string }
	answer  struct {
		reply     message
		published []message
	}
)

var (
	busy = message{"status", `{"execution_state":"busy"}`}
	idle = message{"status", `{"execution_state":"idle"}`}
)

var answers = map[string]answer{
	"kernel_info_request": {
		message{"kernel_info_reply",
			`{"status":"ok","protocol_version":"5.5","implementation":"null","implementation_version":"0","language_info":{"name":"null","version":"0","mimetype":"text/plain","file_extension":".txt"},"banner":"","help_links":[]}`},
		[]message{busy, idle},
	},
	"execute_request": {
		message{"execute_reply", `{"status":"ok","execution_count":1,"user_expressions":{},"payload":[]}`},
		[]message{busy, {"execute_input", `{"code":"1+1","execution_count":1}`},
			{"execute_result", `{"execution_count":1,"data":{"text/plain":"2"},"metadata":{}}`}, idle},
	},
	"complete_request": {
		message{"complete_reply", `{"status":"ok","matches":["ToLower"],"cursor_start":8,"cursor_end":10,"metadata":{}}`},
		[]message{busy, idle},
	},
	"shutdown_request": {
		message{"shutdown_reply", `{"status":"ok","restart":false}`},
		[]message{busy, idle},
	},
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("null: give it the connection file, and nothing else")
	}
	runtime.GOMAXPROCS(1)
	if err := run(os.Args[1]); err != nil {
		log.Fatal("null: ", err)
	}
}

// A kernel holds the sockets of a connection.
type kernel struct {
	signer *wire.Signer
	iopub  *transport.Socket
	ended  chan error
}

func run(path string) error {
	file, err := connection.Read(path)
	if err != nil {
		return err
	}
	signer, err := wire.NewSigner(file.SignatureScheme, []byte(file.Key))
	if err != nil {
		return err
	}
	k := &kernel{signer: signer, ended: make(chan error, len(connection.Channels()))}
	sockets := map[connection.Channel]*transport.Socket{}
	for _, c := range connection.Channels() {
		network, address := file.Address(c)
		kind := transport.Router
		if c == connection.IOPub {
			kind = transport.Publisher
		}
		if sockets[c], err = transport.Open(transport.Config{Network: network, Address: address, Kind: kind}); err != nil {
			return err
		}
	}
	k.iopub = sockets[connection.IOPub]
	delete(sockets, connection.IOPub)
	for c, s := range sockets {
		go k.serve(s, c == connection.HB)
	}
	return <-k.ended
}

func (k *kernel) serve(s *transport.Socket, echo bool) {
	for {
		frames, err := s.Recv()
		if err != nil {
			k.ended <- err
			return
		}
		if echo {
			s.Send(frames)
			continue
		}
		if err := k.answer(s, frames); err != nil {
			log.Print("null: ", err)
		}
	}
}

func (k *kernel) answer(s *transport.Socket, frames [][]byte) error {
	m, err := k.signer.Parse(frames, nil)
	if err != nil {
		return err
	}
	a, ok := answers[m.Header.MsgType]
	if !ok {
		return fmt.Errorf("%s: not answered", m.Header.MsgType)
	}
	reply, err := k.frames(m, m.Identities, a.reply)
	if err != nil {
		return err
	}
	var published [][][]byte
	for _, p := range a.published {
		f, err := k.frames(m, [][]byte{[]byte(p.kind)}, p)
		if err != nil {
			return err
		}
		published = append(published, f)
	}
	s.Send(reply)
	k.iopub.Send(published...)
	if m.Header.MsgType == "shutdown_request" {
		time.Sleep(10 * time.Millisecond) // what was sent is on its way
		k.ended <- nil
	}
	return nil
}

func (k *kernel) frames(request *wire.Message, to [][]byte, m message) ([][]byte, error) {
	return k.signer.Frames(&wire.Message{
		Identities: to, Header: wire.NewHeader("null", "kernel", m.kind), Parent: request.RawHeader,
		Content: []byte(m.content),
	})
}
