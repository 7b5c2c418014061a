/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The top lines: what state the lab is in on which machine, what runs, what it achieves.
 *
 * With fewer than three rows the configuration goes first, then the machine; below 40 columns only
 * names and figures stay. A figure is shown whole or not at all.
 */
#include "ui/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/figure.h"
#include "ui/line.h"

enum {
	NARROW = 40,
	WIDE = 100, /* from here on whole words */
	SPARK_MIN = 5,
	SPARK_MAX = 24,
	SPARK_RANK = 6, /* in the line of totals */
};

/* Glyph, word and role of a state; frozen wins, since the figures then stand still. */
static const char *state_text(const struct model *m, const struct ui_state *s, enum grid_role *role)
{
	*role = ROLE_TITLE;
	if (m->state == MODEL_FAILED || m->state == MODEL_STALLED)
		*role = ROLE_ERROR;
	else if (s->frozen)
		return "‖ PAUSE";
	switch (m->state) {
	case MODEL_IDLE:
		return "■ ENDED";
	case MODEL_STARTING:
		return "◌ START";
	case MODEL_WARMING:
		return "◌ WARMING";
	case MODEL_RUNNING:
		return "● RUN";
	case MODEL_STALLED:
		return "! STALLED";
	case MODEL_FAILED:
		return "! FAILED";
	}
	return "";
}

/* True for words of a CPU's name that say nothing about which one it is. */
static bool is_filler(const char *word)
{
	static const char *const fillers[] = {"CPU", "Processor", "@", "processor"};
	size_t len = strlen(word);

	for (size_t i = 0; i < sizeof(fillers) / sizeof(fillers[0]); i++) {
		if (!strcmp(word, fillers[i]))
			return true;
	}
	return (len > 5 && !strcmp(word + len - 5, "-Core")) ||
	       (len > 3 && !strcmp(word + len - 3, "GHz"));
}

/* "AMD EPYC 9354 32-Core Processor" becomes "AMD EPYC 9354"; "(R)" and "(TM)" go as well. */
static char *cpu_name_short(const char *model, char *buf, size_t size)
{
	char words[96];
	char *save = NULL;
	size_t used = 0;

	snprintf(words, sizeof(words), "%s", model);
	buf[0] = '\0';
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		char *mark = strchr(w, '(');

		if (mark)
			*mark = '\0';
		if (!*w || is_filler(w))
			continue;
		int n = snprintf(buf + used, size - used, "%s%s", used ? " " : "", w);

		if (n < 0 || (size_t)n >= size - used)
			break;
		used += (size_t)n;
	}
	return buf;
}

static unsigned numa_nodes(const struct model *m)
{
	return m->topology ? m->topology->numa_count : 0;
}

static void add_machine(struct line *l, const struct machine *mc, unsigned numa)
{
	char cpu[96];

	line_add(l, 3, ROLE_TEXT, "%s", mc->host);
	line_add(l, 5, ROLE_TEXT, "%s", cpu_name_short(mc->cpu_model, cpu, sizeof(cpu)));
	if (mc->packages)
		line_add(l, 4, ROLE_TEXT, "%ux%uc/%ut", mc->packages, mc->cores / mc->packages,
			 mc->smt);
	if (numa)
		line_add(l, 6, ROLE_TEXT, "%u NUMA", numa);
	line_add(l, 8, ROLE_TEXT, "%s", mc->kernel);
	if (mc->virt[0] && strcmp(mc->virt, "none"))
		line_add(l, 6, ROLE_TEXT, "%s", mc->virt);
	if (mc->governor[0])
		line_add(l, 9, ROLE_TEXT, "%s", mc->governor);
}

/* What watching costs, and whether it disturbs what is watched. */
static void add_self(struct line *l, const struct model *m)
{
	char pct[FIGURE_SIZE], bytes[FIGURE_SIZE];

	line_add(l, 2, ROLE_TEXT, "self %s", figure_percent(m->self_cpu_ratio, pct));
	if (value_known(m->self_rss_bytes))
		line_tail(l, 7, ROLE_TEXT, " %sB",
			  text_value(m->self_rss_bytes, bytes, sizeof(bytes)));
	if (m->self_shares_cpu)
		line_add(l, 2, ROLE_WARNING, "shares CPUs");
	else if (m->self_cpu >= 0)
		line_add(l, 9, ROLE_TEXT, "on cpu %d", m->self_cpu);
}

static const char *threads_word(const struct model *m, struct grid_rect r)
{
	return r.cols < WIDE ? "thr" : m->config.threads == 1 ? "thread" : "threads";
}

static void draw_state(const struct model *m, const struct ui_state *s, struct grid *g,
		       struct grid_rect r, bool with_variant)
{
	char clock[FIGURE_SIZE];
	enum grid_role role;
	const char *state = state_text(m, s, &role);
	struct line l;

	line_start(&l);
	line_add(&l, 1, ROLE_TITLE, "hotline");
	line_add(&l, 0, role, "%s", state);
	line_join(&l, ROLE_TEXT, " %s", figure_clock(m->elapsed_s, clock));
	if (with_variant) {
		line_add(&l, 0, ROLE_TITLE, "%s", m->config.variant);
		line_add(&l, 1, ROLE_TEXT, "%u %s", m->config.threads, threads_word(m, r));
	}
	if (m->recording)
		line_add(&l, 1, ROLE_TITLE, "CSV on");
	if (m->machine)
		add_machine(&l, m->machine, numa_nodes(m));
	add_self(&l, m);
	line_draw(&l, g, r, r.cols >= 120 ? 3 : 2, "");
}

/* "name figure", the name dimmed; names are left out on a narrow screen. */
static void add_setting(struct line *l, unsigned rank, const char *name, const char *setting)
{
	if (*name)
		line_add(l, rank, ROLE_DIM, "%s ", name);
	if (*name)
		line_join(l, ROLE_TEXT, "%s", setting);
	else
		line_add(l, rank, ROLE_TEXT, "%s", setting);
}

/* The measuring mode with the N in force: "auto 1/310". */
static char *measure_text(const struct model *m, char *buf, unsigned size)
{
	char mode[32];

	measure_format(m->plan.measure, m->plan.sample_n, mode, sizeof(mode));
	if (m->plan.measure == PAGE_MEASURE_AUTO && m->sample_n)
		snprintf(buf, size, "%s 1/%u", mode, m->sample_n);
	else
		snprintf(buf, size, "%s", mode);
	return buf;
}

static void add_variant(struct line *l, const struct model *m, bool wide)
{
	unsigned key = 0;

	while (key < m->variant_count && !view_variant_is_current(m, &m->variant[key]))
		key++;
	line_add(l, 0, ROLE_DIM, "%s", wide ? "lock " : "[");
	if (key < 9 && key < m->variant_count)
		line_join(l, ROLE_KEY, wide ? "[%u] " : "%u] ", key + 1);
	else if (!wide)
		line_join(l, ROLE_KEY, "v] ");
	line_join(l, ROLE_TITLE, "%s", m->config.variant);
	if (key < m->variant_count)
		line_join(l, ROLE_WARNING, "%s", view_variant_note(m->variant[key].info));
}

static void draw_work(const struct model *m, struct grid *g, struct grid_rect r)
{
	bool wide = r.cols >= 120;
	char text[512];
	struct line l;

	line_start(&l);
	add_setting(&l, 1, wide ? "work" : "", m->config.workload);
	if (m->config.knob_count)
		line_add(&l, 3, ROLE_TEXT, "%s",
			 config_knobs_format(&m->config, text, sizeof(text)));
	add_variant(&l, m, wide);
	line_add(&l, 0, ROLE_TEXT, "%u", m->config.threads);
	line_join(&l, ROLE_DIM, " %s", threads_word(m, r));
	add_setting(&l, 1, wide ? "place" : "", place_name(m->config.place));
	add_setting(&l, 2, wide ? "measure" : "", measure_text(m, text, sizeof(text)));
	if (m->plan.warmup_s > 0 && wide) {
		add_setting(&l, 4, "warm-up", figure_seconds(m->plan.warmup_s, text));
		snprintf(text, sizeof(text), "%llu", (unsigned long long)m->plan.seed);
		add_setting(&l, 5, "seed", text);
	}
	line_draw(&l, g, r, 3, " │ ");
}

/* The newest @cells samples of the total, scaled from 0 to their largest. */
static void draw_spark(const struct model *m, struct grid *g, int row, int col, int cells)
{
	double top = 0;

	for (unsigned i = 0; i < MODEL_HISTORY; i++) {
		if (i < m->sample_count && (double)m->history[i] > top)
			top = (double)m->history[i];
	}
	for (int i = 0; i < cells; i++) {
		uint64_t back = (uint64_t)(cells - i);
		double v = NAN;

		if (back <= m->sample_count && back <= MODEL_HISTORY)
			v = (double)m->history[(m->sample_count - back) % MODEL_HISTORY];
		grid_spark(g, row, col + i, top > 0 ? v / top : NAN, ROLE_BAR);
	}
}

/* What makes the figures beside it doubtful. */
static void add_warnings(struct line *l, const struct model *m, struct grid_rect r)
{
	char why[64];

	if (m->figures_warming)
		line_add(l, 1, ROLE_WARNING, "warm-up");
	if (m->threads_idle)
		line_add(l, 1, ROLE_WARNING, "%u of %u %s made no op", m->threads_idle,
			 m->config.threads, threads_word(m, r));
	if (m->sums_disagree)
		line_add(l, 1, ROLE_WARNING, "sums off");
	if (m->disturbed_why) {
		line_add(l, 2, ROLE_WARNING, "disturbed");
		line_tail(l, SPARK_RANK + 2, ROLE_WARNING, ": %s",
			  round_disturbed_format(m->disturbed_why, why, sizeof(why)));
	}
}

/* A counter of all threads, where there is an event for it. */
static void add_counter(struct line *l, const char *name, struct value v)
{
	char buf[FIGURE_SIZE];

	if (v.why != WHY_UNSUPPORTED)
		add_setting(l, SPARK_RANK + 1, name, text_value(v, buf, sizeof(buf)));
}

static void draw_total(const struct model *m, struct grid *g, struct grid_rect r)
{
	char buf[FIGURE_SIZE];
	int gap = r.cols >= 120 ? 3 : 2;
	int spark = r.cols < 60 ? 0 : r.cols / 10 < SPARK_MAX ? r.cols / 10 : SPARK_MAX;
	struct line l;
	int used;

	line_start(&l);
	line_add(&l, 0, ROLE_DIM, "total ");
	line_join(&l, ROLE_TITLE, "%s op/s", text_value(m->ops_per_s, buf, sizeof(buf)));
	add_warnings(&l, m, r);
	add_setting(&l, 2, "mean", text_value(m->ops_per_s_mean, buf, sizeof(buf)));
	add_setting(&l, 4, "fair", text_value(m->fairness_jain, buf, sizeof(buf)));
	add_setting(&l, 3, "wait", figure_percent(m->wait_ratio, buf));
	add_setting(&l, 3, "hold", figure_percent(m->hold_ratio, buf));
	add_setting(&l, 5, r.cols < WIDE ? "out" : "outside",
		    figure_percent(m->outside_ratio, buf));
	add_setting(&l, SPARK_RANK + 1, "clocks/op", figure_count(m->clocks_per_op, buf));
	if (m->events && m->live.count) {
		add_counter(&l, "IPC", m->live.counts.ipc);
		add_counter(&l, "xfer/op", m->live.counts.transfers_per_op);
	}
	add_setting(&l, SPARK_RANK + 2, "handovers/op",
		    text_value(m->handovers_per_op, buf, sizeof(buf)));
	/* Blanks that are kept or left out by their rank, and drawn over below. */
	line_add(&l, SPARK_RANK, ROLE_BAR, "%*s", spark, "");
	used = line_draw(&l, g, r, gap, "");
	if (!spark)
		return;
	if (l.segment[l.count - 1].rank == SPARK_RANK)
		draw_spark(m, g, r.row, r.col + used - spark, spark);
	else if (r.cols - used - gap >= SPARK_MIN)
		draw_spark(m, g, r.row, r.col + used + gap, r.cols - used - gap);
}

/* Below 40 columns: the variant with its throughput, its p99, its state. */
static void draw_narrow(const struct model *m, const struct ui_state *s, struct grid *g,
			struct grid_rect r)
{
	char total[FIGURE_SIZE], p99[FIGURE_SIZE], clock[FIGURE_SIZE];
	enum grid_role role;
	const char *state = state_text(m, s, &role);
	int cells;

	text_value(m->ops_per_s, total, sizeof(total));
	text_value_ns(m->wait[0].stat.p99_ns, false, p99, sizeof(p99));
	cells = line_cells(m->config.variant) + line_cells(total) + 3;
	if (cells <= r.cols)
		grid_printf(g, r.row, r.col, r.cols, ROLE_TITLE, "%s %s/s", m->config.variant,
			    total);
	else if (line_cells(total) <= r.cols)
		grid_text(g, r.row, r.col, r.cols, ROLE_TITLE, total);
	else
		grid_text(g, r.row, r.col, 1, role, state);
	if (r.rows > 1 && r.cols >= 12)
		grid_printf(g, r.row + 1, r.col, r.cols, ROLE_TEXT, "wait p99 %s", p99);
	if (r.rows > 2 && r.cols >= 12)
		grid_text(g, r.row + 2, r.col, r.cols, role, state);
	if (r.rows > 3 && r.cols >= 12)
		grid_printf(g, r.row + 3, r.col, r.cols, ROLE_TEXT, "%s, %u threads",
			    figure_clock(m->elapsed_s, clock), m->config.threads);
}

static void header_render(const struct model *m, const struct ui_state *s, struct grid *g,
			  struct grid_rect r)
{
	struct grid_rect line = {.row = r.row, .col = r.col, .rows = 1, .cols = r.cols};

	if (r.cols < NARROW) {
		draw_narrow(m, s, g, r);
		return;
	}
	if (r.rows >= 2) {
		draw_state(m, s, g, line, r.rows == 2);
		line.row++;
	}
	if (r.rows >= 3) {
		draw_work(m, g, line);
		line.row++;
	}
	draw_total(m, g, line);
}

const struct view_ops view_header = {.name = "header",
				     .pane = LAYOUT_HEADER,
				     .render = header_render};
