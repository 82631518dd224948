package kernel

import (
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite", without cgo
)

// A HistoryError tells why a history file cannot be used. The kernel then keeps history in memory.
type HistoryError struct {
	Path string
	Err  error
}

func (e *HistoryError) Error() string {
	return fmt.Sprintf("kernel: history file %s: %v: history is kept for this session only; remove or repair the "+
		"file to keep it longer", e.Path, e.Err)
}

func (e *HistoryError) Unwrap() error { return e.Err }

// historySchema makes the tables where there are none.
const historySchema = `
CREATE TABLE IF NOT EXISTS sessions (session INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS cells (
	session INTEGER NOT NULL, line INTEGER NOT NULL, input TEXT NOT NULL, output TEXT NOT NULL,
	PRIMARY KEY (session, line));`

const (
	// historyQueue is how many cells may wait to be written.
	historyQueue = 1024
	// historyPause is how long a cell waits to be written with those that follow: a kernel that is
	// killed loses no more, and cells that run one after the other do not share their processors
	// with a disk.
	historyPause = 500 * time.Millisecond
)

// A fileHistory keeps cells over sessions in an SQLite file that several kernels may share. The
// file is opened, and written, beside the kernel: a disk that takes its time holds up no cell.
// Whoever reads, or closes, finds everything written. Until it is open, and where it cannot be,
// history is that of this session, in memory.
type fileHistory struct {
	memory memoryHistory
	log    *slog.Logger
	jobs   chan func()   // done in order by one goroutine
	done   chan struct{} // closed when it has ended
	db     *sql.DB       // used by jobs alone; nil: memory
	number int64         // of the session, set by the first job

	pending []entry // not written yet
}

// openHistory gives the history of a file; without one, that of memory.
func openHistory(path string, log *slog.Logger) (historian, error) {
	if path == "" {
		return &memoryHistory{}, nil
	}
	h := &fileHistory{log: log, jobs: make(chan func(), historyQueue), done: make(chan struct{})}
	h.jobs <- func() {
		if err := h.open(path); err != nil {
			log.Warn("history", "error", &HistoryError{Path: path, Err: err})
		}
	}
	go h.run()
	return h, nil
}

// run does jobs, and writes what cells leave when no more came for a while.
func (h *fileHistory) run() {
	defer close(h.done)
	pause := time.NewTimer(time.Hour)
	defer pause.Stop()
	for {
		select {
		case job, ok := <-h.jobs:
			if !ok {
				return
			}
			waited := len(h.pending) > 0
			job()
			switch n := len(h.pending); {
			case n >= historyQueue:
				h.flush()
			case n > 0 && !waited:
				pause.Reset(historyPause)
			}
		case <-pause.C:
			h.flush()
		}
	}
}

// flush writes what waits, as one transaction.
func (h *fileHistory) flush() {
	waiting := h.pending
	h.pending = nil
	if h.db == nil || len(waiting) == 0 {
		return
	}
	tx, err := h.db.Begin()
	if err != nil {
		h.log.Warn("history", "error", err)
		return
	}
	for _, e := range waiting {
		if _, failed := tx.Exec(`INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?)`, h.number, e.line, e.input,
			e.output); failed != nil {
			err = errors.Join(err, failed)
		}
	}
	if err = errors.Join(err, tx.Commit()); err != nil {
		h.log.Warn("history", "error", err)
	}
}

// open opens the file, private to the user, and begins a session.
func (h *fileHistory) open(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Chmod(0o600), f.Close()); err != nil {
		return err
	}
	name := url.URL{Scheme: "file", Path: path,
		RawQuery: "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)"}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if _, err = db.Exec(historySchema); err == nil {
		var r sql.Result
		if r, err = db.Exec(`INSERT INTO sessions (started) VALUES (?)`, time.Now().UTC().Format(time.RFC3339)); err == nil {
			h.number, err = r.LastInsertId()
		}
	}
	if err != nil {
		return errors.Join(err, db.Close())
	}
	h.db = db
	return nil
}

// do runs a job on a file that has everything, and waits.
func (h *fileHistory) do(job func()) {
	over := make(chan struct{})
	h.jobs <- func() {
		defer close(over)
		h.flush()
		job()
	}
	<-over
}

func (h *fileHistory) add(line int64, input, output string) {
	h.memory.add(line, input, output)
	h.jobs <- func() { h.pending = append(h.pending, entry{line: line, input: input, output: output}) }
}

func (h *fileHistory) present() (n int64) {
	h.do(func() { n = h.number })
	return max(n, 1)
}

func (h *fileHistory) session(session, start, stop int64) (out []entry, err error) {
	h.do(func() {
		if h.db == nil {
			out, err = h.memory.session(session, start, stop)
			return
		}
		out, err = h.query(-1, func(string) bool { return true }, false,
			`SELECT session, line, input, output FROM cells WHERE session = ? AND line >= ? AND line < ? ORDER BY line DESC`,
			session, start, stop)
	})
	return out, err
}

func (h *fileHistory) last(n int, match func(string) bool, unique bool) (out []entry, err error) {
	h.do(func() {
		if h.db == nil {
			out, err = h.memory.last(n, match, unique)
			return
		}
		out, err = h.query(n, match, unique,
			`SELECT session, line, input, output FROM cells ORDER BY session DESC, line DESC`)
	})
	return out, err
}

// query reads rows, newest first, until n of them were chosen, and gives those oldest first.
func (h *fileHistory) query(n int, match func(string) bool, unique bool, text string, args ...any) (_ []entry,
	err error) {
	rows, err := h.db.Query(text, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	c := newChoice(n, match, unique)
	for !c.full() && rows.Next() {
		var e entry
		if err := rows.Scan(&e.session, &e.line, &e.input, &e.output); err != nil {
			return nil, err
		}
		c.offer(e)
	}
	return c.oldestFirst(), rows.Err()
}

func (h *fileHistory) close() error {
	var err error
	h.do(func() {
		if h.db != nil {
			err = h.db.Close()
		}
	})
	close(h.jobs)
	<-h.done
	return err
}
