/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report as text, and the line of progress.
 */
#include "src/report.h"

#include <math.h>
#include <string.h>

#include "src/events.h"
#include "src/report_cols.h"
#include "src/text.h"

enum { LABEL_BYTES = 96 };

static void machine_print(FILE *f, const struct report_input *in)
{
	const struct machine *m = in->machine;
	const struct round *r = in->round[0];
	char hz[16];

	fprintf(f, "%s, %s, virt %s; clock %s", m->cpu_model[0] ? m->cpu_model : "unknown CPU",
		m->kernel, m->virt, m->tick.name);
	if (r->tick_hz > 0)
		fprintf(f, " %sHz", text_si(r->tick_hz, hz, sizeof(hz)));
	fprintf(f, ", resolution %.3g ns, bias %.3g ns\n", r->tick_resolution_ns, r->tick_bias_ns);
}

/* What all configurations have in common; what differs stands in their names. */
static void plan_print(FILE *f, const struct report_input *in)
{
	const struct config *first = &in->list->config[0];
	const struct plan *p = in->plan;
	bool threads = true, cpus = true, knobs = true;
	char a[2048], b[2048];

	config_knobs_format(first, a, sizeof(a));
	for (unsigned i = 1; i < in->list->count; i++) {
		const struct config *c = &in->list->config[i];

		threads &= c->threads == first->threads;
		cpus &= c->place == first->place && strcmp(c->cpus, first->cpus) == 0;
		knobs &= strcmp(a, config_knobs_format(c, b, sizeof(b))) == 0;
	}
	if (threads)
		fprintf(f, "%u thread%s, ", first->threads, first->threads == 1 ? "" : "s");
	if (cpus && threads)
		fprintf(f, "CPUs %s (%s), ",
			*round_cpus_format(in->round[0], b, sizeof(b)) ? b : "any",
			first->cpus[0] && !first->place_given ? "as listed"
							      : place_name(first->place));
	if (knobs && *a)
		fprintf(f, "%s, ", a);
	if (p->ops)
		fprintf(f, "rounds of %llu ops", (unsigned long long)p->ops);
	else
		fprintf(f, "rounds of %g s", p->duration_s);
	fprintf(f, " after %g s warm-up, measure %s, seed %llu\n", p->warmup_s,
		measure_format(p->measure, p->sample_n, b, sizeof(b)), (unsigned long long)p->seed);
}

static void reasons_print(FILE *f, unsigned why_seen)
{
	for (enum reason why = WHY_SCALED; why < WHY_COUNT; why++) {
		if (!(why_seen & 1u << why))
			continue;
		if (why == WHY_UNRESOLVED)
			fprintf(f, "<: %s.\n", reason_sentence(why));
		else if (why == WHY_SCALED || why == WHY_NOT_YET)
			fprintf(f, "%c: %s.\n", why == WHY_SCALED ? '~' : '-',
				reason_sentence(why));
		else
			fprintf(f, "n/a:%c: %s.\n", reason_letter(why), reason_sentence(why));
	}
}

/* That there are no hardware counters is said once, for all of them. */
static const char *sentence_of(const struct pmu_list *l, unsigned i)
{
	const struct pmu_event *ev = &l->event[i];
	const char *sentence = events_sentence(ev);
	bool said = ev->why == WHY_UNSUPPORTED && !l->host.core_count && l->note[0];

	return said || strstr(l->note, sentence) ? "" : sentence;
}

/* What is to be said of the counters, each sentence once: of all of them, of single events. */
static void events_notes_print(FILE *f, const struct pmu_list *l)
{
	if (l->note[0])
		fprintf(f, "%s\n", l->note);
	for (unsigned i = 0; i < l->count; i++) {
		const char *sentence = sentence_of(l, i);
		bool said = !*sentence;

		for (unsigned k = 0; k < i && !said; k++)
			said = strcmp(sentence, sentence_of(l, k)) == 0;
		if (said)
			continue;
		fprintf(f, "%s", l->event[i].label);
		for (unsigned k = i + 1; k < l->count; k++) {
			if (strcmp(sentence, sentence_of(l, k)) == 0)
				fprintf(f, ", %s", l->event[k].label);
		}
		fprintf(f, ": %s\n", sentence);
	}
}

/* Returns the reasons in its cells. */
static unsigned counters_print(FILE *f, const struct report_input *in)
{
	const struct pmu_list *l = in->round[0]->events;
	struct report_counters c;
	unsigned why;

	if (!l)
		return 0;
	report_counters_make(&c, l);
	why = report_table(f, in, &c.cols);
	if (c.left_out)
		fprintf(f, "%u more events are in --format csv and json, and in the files of -o.\n",
			c.left_out);
	return why;
}

static void notes_print(FILE *f, const struct report_input *in, unsigned why_seen)
{
	bool disturbed = false, limit = false, stamped = false;
	char name[LABEL_BYTES];

	for (unsigned i = 0; i < in->round_count; i++) {
		disturbed |= in->round[i]->disturbed_why != 0;
		limit |= in->round[i]->limit_hit;
		stamped |= in->round[i]->sample_n != 0;
	}
	fprintf(f, "\nn rounds each: the median%s. Clocks: of the %s, while a round lasts.\n",
		in->plan->rounds < 2 ? ""
		: in->ascii          ? " +- half of the range"
				     : " \xc2\xb1 half of the range",
		in->machine->tick.name);
	if (!stamped)
		fprintf(f, "wait, hold: no operation was stamped.\n");
	reasons_print(f, why_seen);
	if (in->round[0]->events)
		events_notes_print(f, in->round[0]->events);
	for (unsigned i = 0; i < in->list->count; i++) {
		if (!report_excludes(in, i))
			fprintf(f, "%s: its row is the cost of the loop itself, without a lock.\n",
				spec_label(in->list, i, name, sizeof(name)));
	}
	if (disturbed)
		fprintf(f, "Disturbed rounds are kept: run delay or steal above 2 %%, a gap above "
			   "10 ms, or a moved probe.\n");
	if (limit)
		fprintf(f, "at limit: ended after %g s, before all of its work was done.\n",
			in->plan->limit_s);
}

void report_text(FILE *f, const struct report_input *in)
{
	unsigned why = 0;

	if (!in->round_count) {
		fprintf(f, "No round was finished.\n");
		return;
	}
	machine_print(f, in);
	plan_print(f, in);
	why |= report_table(f, in, &report_throughput);
	why |= report_table(f, in, &report_turns);
	if (in->plan->ops)
		why |= report_table(f, in, &report_work);
	why |= report_table(f, in, &report_locks);
	why |= counters_print(f, in);
	notes_print(f, in, why);
}

void report_progress(FILE *f, const struct report_progress *p)
{
	fprintf(f, "\rround %u/%u %.60s %s", p->number, p->total, p->label, p->state);
	if (p->left_s >= 0)
		fprintf(f, ", %.0f s left", ceil(p->left_s));
	fprintf(f, "\033[K");
	fflush(f);
}

void report_progress_clear(FILE *f)
{
	fprintf(f, "\r\033[K");
	fflush(f);
}
