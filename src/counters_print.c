/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of at most 80 columns. A sentence that belongs to several events stands once, below the
 * table, with a number: twenty events of a machine without a PMU have one reason.
 */
#include "src/counters_print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "probes/cpulist.h"
#include "probes/pmu_attr.h"
#include "src/events.h"
#include "src/text.h"

enum {
	COLUMNS = 80,
	FACT_COLUMNS = 22,  /* "perf_event_paranoid" and a gap */
	EVENT_COLUMNS = 36, /* longer names have a line of their own */
	DETAIL_COLUMNS = 12,
};

static bool is_narrowed(const struct counters_answer *a, unsigned i)
{
	return a->narrowed >> i & 1;
}

const char *counters_works(const struct counters_answer *a, unsigned i)
{
	const struct value count = a->checked[i].count;

	if (a->list->event[i].why != WHY_OK || !value_known(count))
		return "no";
	if (count.why == WHY_SCALED)
		return "scaled";
	return is_narrowed(a, i) ? "user-only" : "yes";
}

enum reason counters_why(const struct counters_answer *a, unsigned i)
{
	enum reason why = a->list->event[i].why;

	return why != WHY_OK ? why : a->checked[i].count.why;
}

const char *counters_note(const struct counters_answer *a, unsigned i)
{
	const struct pmu_event *ev = &a->list->event[i];

	if (ev->note[0])
		return ev->note;
	if (ev->why == WHY_OK && ev->source == PMU_PROC)
		return "read from /proc: perf_event_open would not count the kernel's part";
	if (ev->why == WHY_OK && is_narrowed(a, i))
		return a->list->note;
	return reason_sentence(counters_why(a, i));
}

const char *counters_source(const struct pmu_event *ev)
{
	switch (ev->source) {
	case PMU_HARDWARE:
		return "hardware";
	case PMU_SOFTWARE:
		return "software";
	case PMU_PROC:
		return "proc";
	case PMU_NOWHERE:
		return "nowhere";
	}
	return "";
}

const char *counters_levels(const struct pmu_event *ev, const struct pmu_host *h)
{
	struct pmu_attr a;

	if (!pmu_attr_read(&a, ev, h, NULL))
		return "";
	if (a.user && a.kernel)
		return a.hypervisor ? "user, kernel, hypervisor" : "user, kernel";
	return a.user ? "user" : a.kernel ? "kernel" : "none";
}

/* Prints words from column @at on; what does not fit goes on in column @indent. Ends the line. */
static void wrapped(FILE *f, const char *text, unsigned at, unsigned indent)
{
	bool first = true;

	while (*text) {
		unsigned n = (unsigned)strcspn(text, " ");

		if (!first && at + 1 + n > COLUMNS) {
			fprintf(f, "\n%*s", (int)indent, "");
			at = indent;
			first = true;
		}
		fprintf(f, "%s%.*s", first ? "" : " ", (int)n, text);
		at += n + !first;
		first = false;
		text += n;
		text += strspn(text, " ");
	}
	fputc('\n', f);
}

/* A name and what is said of it, @columns further right. */
static void __attribute__((format(printf, 4, 5)))
fact(FILE *f, unsigned columns, const char *name, const char *fmt, ...)
{
	char text[2 * PMU_NOTE_BYTES];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(f, "%-*s", (int)columns, name);
	wrapped(f, text, columns, columns);
}

static void cores_print(FILE *f, const struct pmu_host *h)
{
	char cpus[128];

	if (!h->core_count)
		fact(f, FACT_COLUMNS, "PMU", "none: hardware events cannot be counted here");
	for (unsigned i = 0; i < h->core_count; i++) {
		const struct pmu_core *c = &h->core[i];

		if (c->count)
			fact(f, FACT_COLUMNS, i ? "" : "PMU", "%s, type %u, of CPUs %s", c->name,
			     c->type, cpulist_format(c->cpu, c->count, cpus, sizeof(cpus)));
		else
			fact(f, FACT_COLUMNS, i ? "" : "PMU", "%s, type %u", c->name, c->type);
	}
	if (pmu_host_hybrid(h))
		fact(f, FACT_COLUMNS, "kinds of core",
		     "%u: threads that are not pinned are counted on each", h->core_count);
	if (h->pfm_name[0])
		fact(f, FACT_COLUMNS, "libpfm4's name", "%s", h->pfm_name);
	else
		fact(f, FACT_COLUMNS, "libpfm4's name", "none: it knows no %s; generic events only",
		     pmu_host_hybrid(h) ? "hybrid PMU" : "PMU of this CPU");
}

/* By what was opened, not by the number: distributions disagree on what that means. */
static void privilege_print(FILE *f, const struct counters_answer *a)
{
	const struct pmu_host *h = &a->list->host;
	bool kernel = false, user = false, denied = false, proc = false;

	for (unsigned i = 0; i < a->list->count; i++) {
		const struct pmu_event *ev = &a->list->event[i];
		bool opened = ev->source == PMU_HARDWARE || ev->source == PMU_SOFTWARE;
		bool counts = opened && ev->why == WHY_OK;

		kernel |= counts && !ev->user_only;
		user |= counts;
		denied |= ev->why == WHY_DENIED;
		proc |= ev->source == PMU_PROC;
	}
	if (h->paranoid != PMU_UNKNOWN)
		fact(f, FACT_COLUMNS, "perf_event_paranoid", "%d", h->paranoid);
	fact(f, FACT_COLUMNS, "CAP_PERFMON", "%s", h->cap_perfmon ? "yes" : "no");
	if (user || denied || proc)
		fact(f, FACT_COLUMNS, "this user may count", "%s",
		     kernel   ? "own threads, user and kernel mode"
		     : user   ? "own threads, user mode only"
		     : denied ? "nothing by perf_event_open"
			      : "nothing with the kernel's part");
	if (h->seccomp == 2)
		fact(f, FACT_COLUMNS, "seccomp",
		     "a filter is on, as in containers; it may forbid perf_event_open");
}

static void facts_print(FILE *f, const struct counters_answer *a)
{
	const struct pmu_host *h = &a->list->host;

	cores_print(f, h);
	privilege_print(f, a);
	if (h->nmi_watchdog == 1 && h->core_count)
		fact(f, FACT_COLUMNS, "NMI watchdog",
		     "on: it holds one hardware counter (sysctl kernel.nmi_watchdog=0 frees it)");
	if (h->fd_soft)
		fact(f, FACT_COLUMNS, "descriptors",
		     "%" PRIu64 " of %" PRIu64 " open, hard limit %" PRIu64, h->fd_used, h->fd_soft,
		     h->fd_hard);
	if (h->guest)
		fact(f, FACT_COLUMNS, "virtual machine", "yes: %s",
		     h->core_count ? "its host lends the counters, and may take them away"
				   : "its host has to lend a PMU (virtual PMU, vPMU)");
}

/* Sentences of a table: each once. */
struct notes {
	unsigned count;
	const char *text[PMU_EVENTS];
};

/* The number of a sentence, 1.., which is added if no other says it; 0 for none. */
static unsigned notes_number(struct notes *n, const char *sentence)
{
	if (!*sentence)
		return 0;
	for (unsigned i = 0; i < n->count; i++) {
		if (strstr(sentence, n->text[i]))
			return i + 1;
	}
	n->text[n->count++] = sentence;
	return n->count;
}

/* Below a thousand all digits: a count is a whole number. */
static char *count_format(const struct counters_answer *a, unsigned i, char *buf, unsigned size)
{
	struct value v = a->checked[i].count;

	if (a->list->event[i].why != WHY_OK)
		v = value_missing(a->list->event[i].why);
	if (value_known(v) && v.v < 999.5)
		snprintf(buf, size, "%.0f%s", v.v, v.why == WHY_SCALED ? "~" : "");
	else
		text_value(v, buf, size);
	return buf;
}

static void row_print(FILE *f, const struct counters_answer *a, unsigned i, unsigned width,
		      unsigned note)
{
	const struct pmu_event *ev = &a->list->event[i];
	char works[24], count[16];

	snprintf(works, sizeof(works), "%s", counters_works(a, i));
	if (note)
		snprintf(works + strlen(works), sizeof(works) - strlen(works), " [%u]", note);
	if (strlen(ev->id) > width)
		fprintf(f, "%s\n%*s", ev->id, (int)width, "");
	else
		fprintf(f, "%-*s", (int)width, ev->id);
	fprintf(f, "  %-10s  %-14s  %9s\n", ev->label, works,
		count_format(a, i, count, sizeof(count)));
}

/* What labels mean here, where the name does not say it. */
static void meanings_print(FILE *f, const struct counters_answer *a)
{
	bool any = false;

	for (unsigned i = 0; i < a->shown; i++) {
		const struct pmu_event *ev = &a->list->event[i];

		if (!ev->means[0])
			continue;
		if (!any)
			fprintf(f, "\nWhat they count here\n");
		any = true;
		fprintf(f, "  %-10s", ev->label);
		wrapped(f, ev->means, DETAIL_COLUMNS, DETAIL_COLUMNS);
	}
}

static const char *sentence_of(const struct counters_answer *a, unsigned i)
{
	const struct pmu_event *ev = &a->list->event[i];

	return ev->note[0] ? events_sentence(ev) : counters_note(a, i);
}

/* The sentences, and that on the whole list unless it repeats one of them. */
static void notes_print(FILE *f, struct notes *n, const char *whole)
{
	bool said = !*whole;

	for (unsigned i = 0; i < n->count && !said; i++)
		said = strstr(whole, n->text[i]) != NULL;
	if (n->count || !said)
		fputc('\n', f);
	for (unsigned i = 0; i < n->count; i++) {
		fprintf(f, "[%u]%s", i + 1, i < 9 ? "  " : " ");
		wrapped(f, n->text[i], 5, 5);
	}
	if (!said)
		wrapped(f, whole, 0, 0);
}

void counters_print_table(FILE *f, const struct counters_answer *a)
{
	struct notes notes = {.count = 0};
	unsigned width = (unsigned)strlen("event");

	for (unsigned i = 0; i < a->shown; i++) {
		unsigned n = (unsigned)strlen(a->list->event[i].id);

		width = n > width && n <= EVENT_COLUMNS ? n : width;
	}
	facts_print(f, a);
	fprintf(f, "\n%-*s  %-10s  %-14s  %9s\n", (int)width, "event", "label", "works",
		"self-test");
	for (unsigned i = 0; i < a->shown; i++)
		row_print(f, a, i, width, notes_number(&notes, sentence_of(a, i)));
	notes_print(f, &notes, a->list->note);
	meanings_print(f, a);
}

/* The others that are counted together with event @i, joined by ", "; "" = none. */
static char *group_format(const struct pmu_list *l, unsigned i, char *buf, size_t size)
{
	size_t have = 0;

	buf[0] = '\0';
	for (unsigned k = 0; k < l->count && have < size; k++) {
		const struct pmu_event *ev = &l->event[k];

		if (k != i && ev->attr && ev->group == l->event[i].group)
			have += (size_t)snprintf(buf + have, size - have, "%s%s",
						 have ? ", " : ", with ", ev->id);
	}
	return buf;
}

static void attr_print(FILE *f, const struct counters_answer *a, unsigned event)
{
	const struct pmu_event *ev = &a->list->event[event];
	const struct pmu_host *h = &a->list->host;
	const char *type;
	struct pmu_attr attr;

	if (!pmu_attr_read(&attr, ev, h, NULL))
		return;
	type = pmu_attr_type_name(attr.type);
	for (unsigned i = 0; !type && i < h->core_count; i++)
		type = h->core[i].type == attr.type ? h->core[i].name : NULL;
	fact(f, DETAIL_COLUMNS, "  type", "%u (%s)", attr.type, type ? type : "a PMU of its own");
	fact(f, DETAIL_COLUMNS, "  config",
	     "0x%" PRIx64 ", config1 0x%" PRIx64 ", config2 0x%" PRIx64, attr.config, attr.config1,
	     attr.config2);
	for (unsigned i = 0; pmu_host_hybrid(h) && i < h->core_count; i++) {
		if (ev->source == PMU_HARDWARE && pmu_attr_read(&attr, ev, h, &h->core[i]))
			fact(f, DETAIL_COLUMNS, "", "on %s: type %u, config 0x%" PRIx64,
			     h->core[i].name, attr.type, attr.config);
	}
	fact(f, DETAIL_COLUMNS, "  levels", "%s%s", counters_levels(ev, h),
	     is_narrowed(a, event) ? " (the kernel's part is not permitted)" : "");
}

static void pmu_print(FILE *f, const struct pmu_event *ev, const struct pmu_host *h)
{
	char names[PMU_CORES * 36] = "";

	for (unsigned i = 0; i < h->core_count; i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
			 i ? ", " : "", h->core[i].name);
	switch (ev->source) {
	case PMU_HARDWARE:
		fact(f, DETAIL_COLUMNS, "  PMU", "%s", h->core_count ? names : "none here");
		break;
	case PMU_SOFTWARE:
		fact(f, DETAIL_COLUMNS, "  PMU", "the kernel, in software");
		break;
	case PMU_PROC:
		fact(f, DETAIL_COLUMNS, "  PMU", "none: read from /proc");
		break;
	case PMU_NOWHERE:
		fact(f, DETAIL_COLUMNS, "  PMU", "none: no event of this CPU answers it");
		break;
	}
}

static void event_print(FILE *f, const struct counters_answer *a, unsigned i)
{
	const struct pmu_event *ev = &a->list->event[i];
	const char *note = counters_note(a, i);
	char group[512], count[16];

	fprintf(f, "%s\n", ev->id);
	if (ev->full[0])
		fact(f, DETAIL_COLUMNS, "  name", "%s", ev->full);
	fact(f, DETAIL_COLUMNS, "  label", "%s, role %s", ev->label, pmu_role_name(ev->role));
	if (ev->means[0])
		fact(f, DETAIL_COLUMNS, "  counts", "%s", ev->means);
	pmu_print(f, ev, &a->list->host);
	attr_print(f, a, i);
	if (ev->attr)
		fact(f, DETAIL_COLUMNS, "  group", "%u%s", ev->group,
		     group_format(a->list, i, group, sizeof(group)));
	if (ev->why == WHY_OK && value_known(a->checked[i].count))
		fact(f, DETAIL_COLUMNS, "  self-test", "%s, counted %.3g %% of the time",
		     count_format(a, i, count, sizeof(count)), a->checked[i].running_ratio * 100);
	fact(f, DETAIL_COLUMNS, "  works", "%s%s%s", counters_works(a, i), *note ? ": " : "", note);
}

void counters_print_events(FILE *f, const struct counters_answer *a)
{
	for (unsigned i = 0; i < a->shown; i++) {
		if (i)
			fputc('\n', f);
		event_print(f, a, i);
	}
}
