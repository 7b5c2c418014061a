# SPDX-License-Identifier: GPL-3.0-or-later
# One file, no recursion, no configure. `make help` lists the targets.

PREFIX ?= /usr/local
DESTDIR ?=
CC ?= gcc
BUILD ?= build
PYTHON ?= python3
VERSION := 0.1.0

bindir = $(PREFIX)/bin
libexecdir = $(PREFIX)/libexec/hotline
docdir = $(PREFIX)/share/doc/hotline

pkgs_hotline = ncursesw hwloc jansson
pkgs_lab = ck
pkgs_tests = cmocka

CFLAGS ?= -O2 -g
WARN = -std=gnu11 -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wvla -Werror
SANITIZE ?=
CPPFLAGS += -D_GNU_SOURCE -I. -DHOTLINE_VERSION='"$(VERSION)"' \
	-DHOTLINE_LIBEXECDIR='"$(libexecdir)"'
# No contraction: figures, and screens made of them, are the same on every architecture.
ALL_CFLAGS = $(WARN) $(CFLAGS) $(SANITIZE) -pthread -fno-common -ffp-contract=off
pkg_cflags = $(shell pkg-config --cflags $(pkgs_hotline) $(pkgs_lab) $(pkgs_tests) 2>/dev/null)
libs_hotline = $(shell pkg-config --libs $(pkgs_hotline) 2>/dev/null) -lcsv -lpfm
libs_lab = $(shell pkg-config --libs $(pkgs_lab) 2>/dev/null)
libs_tests = $(shell pkg-config --libs $(pkgs_tests) 2>/dev/null)

# Free of GPL and of heavy libraries: linked into what is measured.
page_objs = \
	probes/err.o \
	probes/hist.o \
	probes/osstat.o \
	probes/page.o \
	probes/slot.o \
	probes/tick.o \
	probes/value.o \
	# EOL

# Counters: libpfm4 and perf_event_open, in the dashboard only.
pmu_objs = \
	probes/pmu_attr.o \
	probes/pmu_check.o \
	probes/pmu_count.o \
	probes/pmu_event.o \
	probes/pmu_group.o \
	probes/pmu_host.o \
	probes/pmu_list.o \
	probes/pmu_loop.o \
	probes/pmu_proc.o \
	probes/pmu_set.o \
	probes/pmu_sys.o \
	probes/pmu_table.o \
	probes/pmu_why.o \
	# EOL

lab_objs = \
	src/lab/crew.o \
	src/lab/delay.o \
	src/lab/describe.o \
	src/lab/pingpong.o \
	src/lab/record.o \
	src/lab/spinlock.o \
	src/lab/spinlock_clh.o \
	src/lab/spinlock_dec.o \
	src/lab/spinlock_mcs.o \
	src/lab/spinlock_new.o \
	src/lab/spinlock_new_xchg.o \
	src/lab/spinlock_null.o \
	src/lab/spinlock_old.o \
	src/lab/spinlock_old_xchg.o \
	src/lab/spinlock_pthread_mutex.o \
	src/lab/spinlock_pthread_spin.o \
	src/lab/spinlock_tas.o \
	src/lab/spinlock_ticket.o \
	src/lab/spinlock_ttas.o \
	src/lab/table.o \
	src/lab/worker.o \
	src/lab/workload.o \
	# EOL

base_objs = \
	probes/cpulist.o \
	probes/place.o \
	probes/topology.o \
	src/catalog.o \
	src/catalog_check.o \
	src/child.o \
	src/config.o \
	src/machine.o \
	src/spec.o \
	src/text.o \
	src/trial.o \
	src/trial_counts.o \
	src/trial_cpus.o \
	src/trial_watch.o \
	# EOL

flow_objs = \
	src/flow/ab.o \
	src/flow/counts.o \
	src/flow/csv.o \
	src/flow/csv_files.o \
	src/flow/field.o \
	src/flow/field_event.o \
	src/flow/field_round.o \
	src/flow/field_rows.o \
	src/flow/interval.o \
	src/flow/model.o \
	src/flow/model_ab.o \
	src/flow/model_heat.o \
	src/flow/model_live.o \
	src/flow/model_mark.o \
	src/flow/model_repeat.o \
	src/flow/model_time.o \
	src/flow/round.o \
	src/flow/round_counts.o \
	src/flow/round_locks.o \
	src/flow/round_os.o \
	src/flow/snap.o \
	src/flow/window.o \
	# EOL

ui_objs = \
	ui/ab_text.o \
	ui/axis.o \
	ui/columns.o \
	ui/counters.o \
	ui/figure.o \
	ui/grid.o \
	ui/hit.o \
	ui/keys.o ui/keys_act.o ui/keys_cpu.o ui/keys_find.o ui/keys_list.o ui/keys_main.o \
	ui/keys_mouse.o ui/keys_run.o \
	ui/layout.o \
	ui/line.o \
	ui/rows.o \
	ui/state.o \
	ui/strip.o \
	ui/tap.o \
	ui/term.o \
	ui/term_keys.o \
	ui/theme.o \
	ui/timeline.o \
	ui/view.o \
	ui/view_ab.o \
	ui/view_bottom.o \
	ui/view_cpu.o ui/view_cpu_detail.o \
	ui/view_dist.o \
	ui/view_header.o \
	ui/view_heat.o \
	ui/view_help.o \
	ui/view_history.o \
	ui/view_keybar.o \
	ui/view_keylist.o \
	ui/view_knobs.o \
	ui/view_messages.o \
	ui/view_strip.o \
	ui/view_variants.o \
	ui/view_workloads.o \
	# EOL

cmd_objs = \
	src/app.o \
	src/cli.o \
	src/cli_help.o \
	src/counters_cmd.o \
	src/counters_print.o \
	src/events.o \
	src/list.o \
	src/refresh.o \
	src/report.o \
	src/report_cols.o \
	src/report_json.o \
	src/report_table.o \
	src/run.o \
	src/session.o src/session_rounds.o src/session_wish.o \
	src/settings.o src/settings_file.o \
	src/topology_cmd.o \
	# EOL

test_progs = \
	tests/test_ab \
	tests/test_ab_text \
	tests/test_axis \
	tests/test_catalog \
	tests/test_cli \
	tests/test_config \
	tests/test_counters_cmd \
	tests/test_counts \
	tests/test_cpulist \
	tests/test_csv \
	tests/test_csv_files \
	tests/test_events \
	tests/test_field \
	tests/test_grid \
	tests/test_hist \
	tests/test_interval \
	tests/test_keys tests/test_keys_cpu tests/test_keys_list tests/test_keys_modes \
	tests/test_keys_mouse \
	tests/test_lab \
	tests/test_layout \
	tests/test_line \
	tests/test_list \
	tests/test_machine \
	tests/test_model \
	tests/test_model_ab \
	tests/test_model_agree \
	tests/test_model_heat \
	tests/test_model_history \
	tests/test_model_time \
	tests/test_page \
	tests/test_place \
	tests/test_place_list \
	tests/test_pmu_check tests/test_pmu_count tests/test_pmu_denied tests/test_pmu_event \
	tests/test_pmu_fds tests/test_pmu_host tests/test_pmu_hybrid tests/test_pmu_list \
	tests/test_pmu_live tests/test_pmu_set tests/test_pmu_sys tests/test_pmu_table \
	tests/test_pmu_why \
	tests/test_refresh \
	tests/test_report \
	tests/test_report_counters \
	tests/test_round \
	tests/test_round_hostile \
	tests/test_round_locks \
	tests/test_round_os \
	tests/test_rows \
	tests/test_settings tests/test_settings_file \
	tests/test_slot \
	tests/test_snap \
	tests/test_spec \
	tests/test_strip \
	tests/test_term_keys \
	tests/test_text \
	tests/test_theme \
	tests/test_tick \
	tests/test_timeline \
	tests/test_topology \
	tests/test_topology_cmd \
	tests/test_value \
	tests/test_view \
	tests/test_view_panes \
	tests/test_view_sweep \
	tests/test_window \
	# EOL

test_tools = \
	tests/hotline-lab-faulty \
	tests/read_csv \
	# EOL

# For tests/test_pmu_guest.sh, on arm64.
guest_tools = \
	tests/hotline-lab-faulty \
	tests/pmu_hog \
	tests/pmu_known \
	# EOL

test_scripts = \
	tests/test_cmdline.sh \
	tests/test_counters.sh \
	tests/test_csv_readback.sh \
	tests/test_deps.sh \
	tests/test_experiment.sh \
	tests/test_faults.sh \
	tests/test_install.sh \
	tests/test_lint.sh \
	tests/test_runner.sh \
	tests/test_tmux.sh \
	tests/test_tmux_counters.sh \
	tests/test_tmux_keys.sh \
	tests/test_tmux_signals.sh \
	tests/test_watchdog.sh \
	# EOL

all_objs = $(page_objs) $(pmu_objs) $(base_objs) $(flow_objs) $(ui_objs) $(cmd_objs) $(lab_objs)
main_objs = src/main.o src/lab/main.o
out = $(addprefix $(BUILD)/,$(1))

# Goals that install what is missing before anything is compiled; plain `make` never does.
goals = $(or $(MAKECMDGOALS),all)
setup_modes = $(sort \
	$(if $(filter deps run check asan tsan golden soak bench lint,$(goals)),build) \
	$(if $(filter deps check asan tsan golden soak,$(goals)),check) \
	$(if $(filter bench,$(goals)),check bench) \
	$(if $(filter lint,$(goals)),lint))
setup = $(if $(setup_modes),deps)

.PHONY: all
all: $(BUILD)/hotline $(BUILD)/hotline-lab ## build hotline and hotline-lab (the default)

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' Makefile
	@echo 'Variables: PREFIX=$(PREFIX) DESTDIR BUILD=$(BUILD) CC CFLAGS LDFLAGS'

.PHONY: deps
deps: ## install what is missing (apt, dnf or pacman; sudo when not root)
	@tests/deps.sh $(setup_modes)

.PHONY: run
run: all ## install what is missing, build, open the dashboard
	@$(BUILD)/hotline

checks = $(call out,$(test_progs)) $(test_scripts)
.PHONY: check
check: all $(call out,$(test_progs) $(test_tools)) ## all tests that need nothing but this machine
	@BUILD=$(abspath $(BUILD)) tests/run.sh $(checks)

# Where QEMU or the packages of another architecture cannot be had the test is skipped.
.PHONY: check-pmu
check-pmu: ## the same program on an emulated arm64 machine with a real PMU
	-@tests/deps.sh pmu
	@BUILD=$(abspath $(BUILD)) QEMU_GUEST_CACHE='$(guest_cache)' TEST_LIMIT_S=900 \
		tests/run.sh tests/test_pmu_guest.sh
guest_cache = $(or $(QEMU_GUEST_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/qemu-guest)

.PHONY: guest
guest: all $(call out,$(test_progs) $(guest_tools))

.PHONY: asan
asan: $(setup) ## the same under AddressSanitizer and UBSan
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan CFLAGS='-O1 -g' \
		SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' check

# Only where all sharing is visible to it: the variants are inline assembly.
tsan_progs = tests/test_page tests/test_slot tests/test_snap
.PHONY: tsan
tsan: $(setup) ## page, slot and snap under ThreadSanitizer
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan CFLAGS='-O1 -g' \
		SANITIZE=-fsanitize=thread test_progs='$(tsan_progs)' test_scripts= check

.PHONY: lint
lint: all ## the rules of the house: include graph, permits, sizes, layout of text
	@tests/lint.sh . $(BUILD)

.PHONY: format
format: ## lay out all .c files as .clang-format says
	clang-format -i $(wildcard probes/*.c src/*.c src/*/*.c ui/*.c tests/*.c)

.PHONY: bench
bench: all $(BUILD)/tests/bench ## speed bars, paired and judged
	@BUILD=$(abspath $(BUILD)) $(BUILD)/tests/bench

.PHONY: soak
soak: all ## the dashboard for ten minutes: memory must stay flat (MINUTES=10)
	@BUILD=$(abspath $(BUILD)) tests/soak.sh $(MINUTES)

.PHONY: golden
golden: $(call out,tests/test_field tests/test_view) ## write golden texts anew; see the diff
	@GOLDEN_UPDATE=1 $(BUILD)/tests/test_field
	@GOLDEN_UPDATE=1 $(BUILD)/tests/test_view

.PHONY: install
install: all ## into DESTDIR/PREFIX
	install -D -m 755 $(BUILD)/hotline $(DESTDIR)$(bindir)/hotline
	install -D -m 755 $(BUILD)/hotline-lab $(DESTDIR)$(libexecdir)/hotline-lab
	install -D -m 644 -t $(DESTDIR)$(docdir) README LICENSE $(wildcard doc/*)

.PHONY: uninstall
uninstall: ## take it out again
	rm -f $(DESTDIR)$(bindir)/hotline
	rm -rf $(DESTDIR)$(libexecdir) $(DESTDIR)$(docdir)

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD)

hotline_objs = src/main.o $(cmd_objs) $(ui_objs) $(flow_objs) $(base_objs) $(pmu_objs) \
	$(page_objs)
$(BUILD)/hotline: $(call out,$(hotline_objs))
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(libs_hotline) -lm

$(BUILD)/hotline-lab: $(call out,src/lab/main.o $(lab_objs) src/text.o $(page_objs))
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(libs_lab) -lm

# Everything but the mains in one archive, so that a test names no objects.
$(BUILD)/tests/libhotline.a: $(call out,$(all_objs) tests/fake_pmu.o tests/fixture.o \
		tests/fixture_counts.o tests/fixture_panes.o tests/made_list.o tests/made_root.o \
		tests/made_run.o tests/made_trial.o)
	rm -f $@ && $(AR) rc $@ $^

with_all = $(test_progs) tests/bench tests/pmu_hog tests/pmu_known tests/read_csv
$(call out,$(with_all)): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/tests/libhotline.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) \
		$(libs_tests) $(libs_hotline) $(libs_lab) -lm

$(BUILD)/tests/bench: $(call out,tests/bench_counters.o tests/bench_dashboard.o \
		tests/bench_flow.o tests/bench_loops.o)

# The lab with another table: variants that crash, hang, leave and break exclusion.
$(BUILD)/tests/hotline-lab-faulty: $(call out,src/lab/main.o tests/lab_faulty.o \
		$(filter-out src/lab/table.o,$(lab_objs)) src/text.o $(page_objs))
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(libs_lab) -lm

# Loops that are copied elsewhere at run time must not call a sanitizer's functions.
moved_objs = \
	src/lab/spinlock_new.o \
	src/lab/spinlock_new_xchg.o \
	src/lab/spinlock_old.o \
	src/lab/spinlock_old_xchg.o \
	# EOL
$(call out,$(moved_objs)): private override SANITIZE =

$(BUILD)/%.o: %.c $(BUILD)/flags | $(setup)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(pkg_cflags) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Other flags or another PREFIX: everything is built again.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$$FLAGS" | cmp -s - $@ || printf '%s\n' "$$FLAGS" >$@
$(BUILD)/flags: export FLAGS = $(CC) $(CPPFLAGS) $(ALL_CFLAGS)
.PHONY: FORCE
FORCE:

-include $(patsubst %.o,$(BUILD)/%.d,$(all_objs) $(main_objs))
-include $(wildcard $(BUILD)/tests/*.d)
