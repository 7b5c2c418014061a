/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The help texts: one screenful each.
 */
#include "src/cli.h"

#include <errno.h>
#include <string.h>

#include "src/text.h"

/* clang-format off: one line of text a line */
static const char overview[] =
	"hotline " HOTLINE_VERSION ": watch threads fight over locks and cache lines, live\n"
	"\n"
	"Usage: hotline [OPTIONS] [SPEC]        the dashboard (default SPEC: spinlock)\n"
	"       hotline run [OPTIONS] SPEC...   the same as a table, CSV or JSON\n"
	"       hotline list [WORKLOAD]         what there is: workloads, variants, knobs\n"
	"       hotline counters [EVENT...]     which counters work here; if not, why\n"
	"       hotline topology                CPUs, cores, caches; allowed and offline\n"
	"       hotline help [COMMAND]          more about one command\n"
	"SPEC = WORKLOAD[:VARIANT,...][@KEY=VALUE,...]; KEY = knob, threads, place, cpus\n"
	"\n"
	"What is measured\n"
	"  -t, --threads N        worker threads; more than CPUs is allowed\n"
	"  -c, --cpus LIST        use these CPUs, in this order: 0,2-5\n"
	"  -p, --place POLICY     spread, pack, smt, core, package, none [spread]\n"
	"  -k, --knob NAME=VALUE  set a workload's knob; repeatable\n"
	"  -e, --events LIST      counters: presets, libpfm4 events, none [contention]\n"
	"      --seed N           seed of every pseudo-random choice [42]\n"
	"How it is measured\n"
	"  -d, --duration S       length of one round, seconds [1]\n"
	"      --ops N            fixed work: a round = N operations of all threads\n"
	"      --limit S          fixed work that takes longer ends short [60]\n"
	"  -w, --warmup S         before each round, discarded [0.2]\n"
	"  -r, --rounds N         rounds of each configuration [5]\n"
	"  -m, --measure MODE     auto, off, sampled:N, every [auto: stamps cost <= 2 %]\n"
	"Output\n"
	"  -o, --output STEM      write STEM-*.csv; - = the rounds as CSV on stdout\n"
	"      --format F         text, csv, json [text]\n"
	"Dashboard\n"
	"  -i, --interval S       refresh [0.25]\n"
	"      --color WHEN       auto, always, never; NO_COLOR is honoured [auto]\n"
	"      --theme T          dark, light, mono [dark]\n"
	"      --ascii            ASCII only; --no-ascii: as the locale has it\n"
	"      --no-mouse         leave the mouse to the terminal; --mouse: take it\n"
	"      --screen WxH       print one frame as text after one round, and exit\n"
	"                         The key S saves looks and habits as settings in\n"
	"                         ~/.config/hotline/config; the command line wins\n"
	"  -h, --help             this\n"
	"      --version          the version\n";

static const char on_run[] =
	"Usage: hotline run [OPTIONS] SPEC...\n"
	"\n"
	"Measures configurations without a terminal. Each round is a process of its own;\n"
	"rounds of several configurations are interleaved (A B, B A, ...). The tables\n"
	"show the median of the rounds and their spread; the first SPEC is the reference.\n"
	"\n"
	"SPEC = WORKLOAD[:VARIANT[,VARIANT...]][@KEY=VALUE[,KEY=VALUE...]]\n"
	"  spinlock                         the workload's default variant\n"
	"  spinlock:all                     all variants that this machine supports\n"
	"  spinlock:ttas,mcs@hold_ns=100    two variants, one knob set\n"
	"  spinlock:old@cpus=0+2-3          CPUs of this SPEC only, joined by '+'\n"
	"A SPEC's own keys win over -t, -c, -p and -k; `hotline list WORKLOAD` shows the\n"
	"variants and knobs, `hotline --help` the options.\n"
	"\n"
	"Examples\n"
	"  hotline run spinlock:old,new --ops 10000000 -t 2\n"
	"      fixed work: clocks per operation, shares, run lengths\n"
	"  hotline run spinlock:ttas@threads=1 spinlock:ttas@threads=2 -r 10\n"
	"      the same lock alone and contended, ten rounds each\n"
	"  hotline run spinlock:all -d 0.5 -o locks\n"
	"      every variant; all figures in locks-rounds.csv, locks-hist.csv, ...\n"
	"  hotline run spinlock:tas,ttas -e cache,bus\n"
	"      misses and bus cycles an operation; `hotline counters` lists the events\n"
	"  hotline run spinlock:mcs --format json | jq '.rounds[].ops_per_s'\n"
	"\n"
	"Progress goes to stderr when that is a terminal. Ctrl-C reports the rounds that\n"
	"were finished. Exit status: 0 done; 1 a measurement failed (a worker crashed or\n"
	"hung, a lock did not exclude, the limit was reached, a file could not be\n"
	"written); 2 bad usage; 128+n ended by signal n.\n";

static const char on_list[] =
	"Usage: hotline list [--format text|csv|json] [WORKLOAD]\n"
	"\n"
	"Without a word: the workloads, and what one operation of each is.\n"
	"With a workload: its variants (and why one cannot run here), its knobs with\n"
	"their defaults and ranges, and its locks.\n"
	"\n"
	"Examples\n"
	"  hotline list\n"
	"  hotline list spinlock\n"
	"  hotline list spinlock --format csv\n";

static const char on_counters[] =
	"Usage: hotline counters [--format text|csv|json] [EVENT...]\n"
	"\n"
	"Without a word: what this machine, this kernel and this user can count. Each\n"
	"event of the presets is opened and has to count a known loop; what does not work\n"
	"is listed with the reason and what to do about it.\n"
	"With events: how each was encoded, which PMU counts it, at which privilege\n"
	"levels, and whether it works.\n"
	"\n"
	"EVENT, and the words of -e LIST, is one of\n"
	"  contention   lines that travel between cores, and who asked to own them\n"
	"  cache        references and misses; the label says of which cache\n"
	"  bus          bus cycles and accesses\n"
	"  tlb          misses of the TLBs, cycles in page walks\n"
	"  switch       context switches, migrations, page faults: software, always there\n"
	"  NAME         an event of libpfm4: cycles, LLC-LOAD-MISSES, r01c4,\n"
	"               skx::MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM\n"
	"  none         with -e only and alone: nothing is counted\n"
	"\n"
	"works: yes; scaled (shared a hardware counter, the count is an estimate); user\n"
	"only (the kernel's part is not permitted); no. A count that is missing is shown\n"
	"as n/a:x, never as 0. Exit status: 0 also if nothing works; 2 unknown event.\n"
	"\n"
	"Examples\n"
	"  hotline counters\n"
	"  hotline counters cache cycles\n"
	"  hotline counters --format csv\n";

static const char on_topology[] =
	"Usage: hotline topology [--format text|csv|json]\n"
	"\n"
	"Shows each CPU by its kernel number with its core, package, NUMA node and\n"
	"last-level cache, whether it is online, and whether this process may use it.\n"
	"-c and the key cpus of a SPEC take these numbers.\n"
	"\n"
	"Example\n"
	"  taskset -c 0-3 hotline topology    what is left to a program on four CPUs\n";

static const char on_help[] =
	"Usage: hotline help [COMMAND]\n"
	"\n"
	"Explains a command: run, list, counters, topology. Without a word, the same as\n"
	"`hotline --help`.\n"
	"In the dashboard, the key ? shows all keys.\n";

/* clang-format on */
int cli_help(FILE *f, const char *command, struct err *e)
{
	static const struct {
		const char *name, *text;
	} texts[] = {
		{"run", on_run},           {"list", on_list}, {"counters", on_counters},
		{"topology", on_topology}, {"help", on_help},
	};

	if (!command) {
		fputs(overview, f);
		return 0;
	}
	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (strcmp(command, texts[i].name) == 0) {
			fputs(texts[i].text, f);
			return 0;
		}
	}
	return text_unknown("command", command, cli_command_names(), e);
}
