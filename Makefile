# make demo   build, run the tour over the real wire, write build/demo/ (needs Go alone)
# make test   install what the tests need and pass them all
# make lab    JupyterLab with the kernel in it, open on notebooks/
# make help   the rest

GO ?= go
# The Go release of the kernel: 1.26, or 1.27 (make test RELEASE=1.27).
RELEASE ?= 1.26
TOOLCHAIN_1.26 := go1.26.8
TOOLCHAIN_1.27 := go1.27.4
export GOTOOLCHAIN := $(TOOLCHAIN_$(RELEASE))
export CGO_ENABLED := 0

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
BINARY  := build/vyre-kernel
KERNEL  := .venv/share/jupyter/kernels/vyre/kernel.json
SOURCES := $(shell find cmd kernel interp cuda egraph plots install notebooks -name '*.go' -o -name '*.s' -o -name '*.ptx' -o -name '*.zst' -o -name '*.svg' -o -name '*.png' 2>/dev/null)
TOOL    := $(GO) tool -modfile=tools/go.mod

.PHONY: help build demo test lab bench lint vet test-go test-memory test-distribution distribution memory cells race test-arm64 arm64 test-lab canary generate cross dist container soak fuzz fuzz-programs gpu clean env

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

build: $(BINARY) ## the binary, build/vyre-kernel
$(BINARY): go.mod go.sum $(SOURCES)
	@mkdir -p build
	$(GO) build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o $@ ./cmd/vyre-kernel

demo: build ## execute notebooks/01-tour.ipynb, write build/demo/
	@mkdir -p build/demo
	$(BINARY) run notebooks/01-tour.ipynb -o build/demo/01-tour.ipynb --html build/demo/01-tour.html

test: lint test-go test-memory test-distribution test-arm64 test-lab ## everything CI runs

lint: | .venv/.requirements ## gofmt, go vet, staticcheck, govulncheck, generated files up to date
	@./scripts/lint.sh

.venv/.requirements: lab/requirements.txt lab/setup.sh
	@./lab/setup.sh --browser

test-go: .venv/.requirements ## the Go tests
	PTXAS=$$(echo $(CURDIR)/.venv/lib/python3*/site-packages/nvidia/cu13/bin/ptxas) VIRTUAL_ENV=$(CURDIR)/.venv \
	$(GO) test -timeout 15m ./...

# What passes is held by the lists beside the command (interp/conformance/cmd/goroot), which may only shrink.
test-distribution: ## Go's own test programs and the standard library's Examples, on both engines, but what is slow
	@mkdir -p build
	$(GO) build -o build/goroot ./interp/conformance/cmd/goroot
	build/goroot
	build/goroot -examples
	build/goroot -engine yaegi
	build/goroot -engine yaegi -examples

distribution: test-distribution ## the same, and what is slow on yaegi
	build/goroot -engine yaegi -slow -limit 1h

# The collector runs all the time, and what it frees is overwritten at once.
COLLECT := GOGC=1 GODEBUG=clobberfree=1

test-memory: ## a part of the programs with the garbage collector always at work
	$(COLLECT) $(GO) test -count=1 -run 'TestEngines/vm/(sessions|programs/(closures|defers|panics|selects))' ./interp/engine/enginetest

memory: ## every program and session, and the Go distribution's tests and examples, in the same way (half an hour)
	$(COLLECT) $(GO) test -count=1 -timeout 30m ./interp/engine/... ./interp/rtype
	@mkdir -p build
	$(GO) build -o build/goroot ./interp/conformance/cmd/goroot
	$(COLLECT) build/goroot -limit 10m -alone 1h
	$(COLLECT) build/goroot -examples -limit 10m -alone 1h

cells: ## 10,000 cells of ten kinds: processor time of one and the heap at the end are within a tenth of those after the first thousand
	VYRE_CELLS=10000 $(GO) test -count=1 -run TestManyCells -v ./interp

# Pointers into the runtime's own objects are what checkptr is there to forbid.
race: ## the engine under the race detector; needs gcc (an hour or less)
	@command -v gcc >/dev/null || { echo "make race: the race detector needs cgo, and that gcc: apt install gcc"; exit 1; }
	CGO_ENABLED=1 $(GO) test -race -gcflags=all=-d=checkptr=0 -timeout 60m ./interp/wake ./interp/engine/machine ./interp/engine/calls ./interp/engine/vm ./interp/engine/enginetest ./interp/rtype

test-arm64: ## runtime types and the engine on arm64, where qemu-user is installed
	@./scripts/arm64.sh short

arm64: ## the same with the whole corpus of programs; needs qemu-user
	@./scripts/arm64.sh

test-lab: env ## real clients and JupyterLab in headless Chromium
	.venv/bin/python dist/wheel/build.py --host $(BINARY)
	.venv/bin/python -m pytest -q -rs lab

env: $(KERNEL) ## .venv with JupyterLab and the kernel installed into it
$(KERNEL): $(BINARY) .venv/.requirements
	$(BINARY) install --prefix .venv
	@touch $@

lab: env ## JupyterLab on notebooks/
	VIRTUAL_ENV=$(CURDIR)/.venv .venv/bin/jupyter-lab --notebook-dir=notebooks $(if $(filter 0,$(shell id -u)),--allow-root) $(LAB_FLAGS)

bench: env ## figures beside ipykernel and the other peers, in one run
	@./scripts/bench.sh

canary: ## which facts of gorelease hold for another Go release: make canary TIP=go1.28rc1, or GO=gotip
	@$(if $(TIP),GOTOOLCHAIN=$(TIP),$(if $(filter $(GO),go),,GOTOOLCHAIN=local)) $(GO) version >/dev/null || { echo "make canary: left out, there is no such toolchain here: name one by TIP=go1.28rc1 or GO=gotip"; exit 0; } && \
	$(if $(TIP),GOTOOLCHAIN=$(TIP),$(if $(filter $(GO),go),,GOTOOLCHAIN=local)) $(GO) run -tags canary ./interp/gorelease/canary

generate: ## rebuild generated files
	$(GO) generate ./...

cross: ## linux and darwin, amd64 and arm64
	@for t in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64; do echo "build $$t"; \
	  GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) build -o /dev/null ./cmd/vyre-kernel || exit 1; done

dist: ## Python wheels for the same platforms into build/dist/, for pip install
	python3 dist/wheel/build.py --version $(VERSION)

container: dist ## build the container image without a registry, and try it; needs root, debootstrap and buildah
	@./scripts/container.sh

soak: ## 1,000 clients, stalled and hostile peers and a million messages against one kernel (a minute or two)
	$(GO) test ./kernel -count=1 -v -run '^TestSoak$$' -timeout 30m -args -soak.clients 1000 -soak.messages 1000000 -soak.flood 67108864

fuzz: ## every fuzz target for a minute (FUZZTIME=...)
	@./scripts/fuzz.sh

TIME ?= 1h
fuzz-programs: ## random Go programs on every engine and compiled, for TIME=1h; what differs is kept in build/found/
	@mkdir -p build/found
	$(GO) build -o build/fuzzprograms ./interp/conformance/cmd/fuzzprograms
	build/fuzzprograms -time $(TIME) -keep build/found

gpu: ## build the suite for a machine with a GPU into build/gpu/
	@./scripts/gpu-build.sh

clean: ## remove build/ and the environment
	rm -rf build .venv
