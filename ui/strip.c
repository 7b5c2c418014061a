/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPUs sorted by node, cut into runs, cut into segments that fit a line.
 *
 * All segments take a slot of the same width. Where several nodes fit a line they share it.
 */
#include "ui/strip.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
	GAP = 2,         /* cells between segments */
	NODE_GAP = 3,    /* between nodes of one line */
	WORD_COLS = 60,  /* below it never with words */
	SMALL_COLS = 50, /* below it without ids, if need be */
	ROUND = 16,      /* a segment of a run that is split is a multiple of it */
	ROUND_NARROW = 8,
};

/* What the segments have in common. */
struct slots {
	int indent;                              /* a blank at the left edge */
	int node_cells, word_cells, range_cells; /* of the labels, as in struct strip */
	int prefix;                              /* word and range */
	int cells;                               /* CPUs of a segment */
	int a_line;                              /* segments of a node in one line */
	int nodes_a_line;
	int lines;
};

/* What the runs need at most. */
struct needs {
	unsigned run; /* CPUs */
	int range;    /* cells of the label */
	int node;     /* id */
};

/* The node of each CPU. @node: STRIP_CPUS entries at most are set. Returns how many CPUs. */
static unsigned nodes_find(const struct topology *t, short *node)
{
	unsigned count = t->cpu_count < STRIP_CPUS ? t->cpu_count : STRIP_CPUS;
	int last = -1;

	for (unsigned i = 0; i < count; i++) {
		if (t->cpu[i].numa_node >= 0 && t->numa_count > 1)
			last = t->cpu[i].numa_node;
		node[i] = (short)last;
	}
	/* In front of the first one that is known: they go with it. */
	for (unsigned i = count; i-- > 0;) {
		if (node[i] < 0)
			node[i] = i + 1 < count ? node[i + 1] : 0;
	}
	return count;
}

/* Indices by node, ids rising within it. */
static void order_make(struct strip *s, const short *node, unsigned count)
{
	unsigned n = 0;
	int now = -1;

	while (n < count) {
		int next = INT_MAX;

		for (unsigned i = 0; i < count; i++) {
			if (node[i] > now && node[i] < next)
				next = node[i];
		}
		for (unsigned i = 0; i < count; i++) {
			if (node[i] == next)
				s->order[n++] = (unsigned short)i;
		}
		now = next;
	}
}

static bool is_smt(const struct topology_cpu *c)
{
	return c->online && c->smt_rank > 0;
}

/* The run that begins at order[@at]: ids with one step, of one node and kind. */
static struct strip_segment run_at(const struct strip *s, const struct topology *t,
				   const short *node, unsigned at, unsigned count)
{
	const struct topology_cpu *c = &t->cpu[s->order[at]];
	struct strip_segment r = {.at = at, .count = 1, .first = c->cpu, .last = c->cpu};
	int home = node[s->order[at]];

	r.node = home;
	r.is_smt = is_smt(c);
	for (unsigned i = at + 1; i < count; i++) {
		const struct topology_cpu *n = &t->cpu[s->order[i]];
		int step = n->cpu - r.last;

		if (node[s->order[i]] != home || (r.count > 1 && step != r.step) ||
		    (n->online && is_smt(n) != r.is_smt))
			break;
		r.step = step;
		r.last = n->cpu;
		r.count++;
	}
	/* Two ids with a hole between them are no series. */
	if (r.count == 2 && r.step > 1) {
		r.count = 1;
		r.last = r.first;
	}
	return r;
}

static int decimals(int n)
{
	int d = 1;

	for (; n >= 10; n /= 10)
		d++;
	return d;
}

char *strip_range(const struct strip_segment *s, char buf[STRIP_TEXT])
{
	if (s->count == 1)
		snprintf(buf, STRIP_TEXT, "%d", s->first);
	else if (s->step == 1)
		snprintf(buf, STRIP_TEXT, "%d-%d", s->first, s->last);
	else
		snprintf(buf, STRIP_TEXT, "%d-%d/%d", s->first, s->last, s->step);
	return buf;
}

static struct needs needs_find(const struct strip *s, const struct topology *t, const short *node,
			       unsigned count)
{
	struct needs n = {.run = 1, .range = 1};
	char buf[STRIP_TEXT];

	for (unsigned at = 0; at < count;) {
		struct strip_segment r = run_at(s, t, node, at, count);
		int cells = (int)strlen(strip_range(&r, buf));

		n.range = cells > n.range ? cells : n.range;
		n.run = r.count > n.run ? r.count : n.run;
		n.node = r.node > n.node ? r.node : n.node;
		at += r.count;
	}
	return n;
}

/*
 * The widths of labels and segments in lines of @cols cells; what is too wide is left out.
 * @n: range 0 = without ids. @words: "node 0" and "cpu" instead of "n0" and nothing.
 */
static struct slots slots_make(const struct needs *n, int cols, bool nodes, bool words)
{
	struct slots w = {.indent = words, .a_line = 1, .nodes_a_line = 1};
	int run = (int)n->run, room;

	cols -= w.indent;
	w.node_cells = !nodes ? 0 : decimals(n->node) + (words ? 7 : 2); /* "node 0  ", "n0 " */
	w.word_cells = words ? 4 : 0;                                    /* "cpu " */
	w.range_cells = n->range ? n->range + 1 : 0;
	if (cols - w.node_cells - w.word_cells - w.range_cells < ROUND_NARROW)
		w.node_cells = w.word_cells = 0;
	if (cols - w.range_cells < ROUND_NARROW)
		w.range_cells = 0;
	w.prefix = w.word_cells + w.range_cells;
	room = cols - w.node_cells - w.prefix;
	w.cells = run < room ? run : room;
	if (run > room && room >= ROUND)
		w.cells = room - room % ROUND;
	else if (run > room && room >= ROUND_NARROW)
		w.cells = ROUND_NARROW;
	w.a_line += (room - w.cells) / (GAP + w.prefix + w.cells);
	return w;
}

/* How many lines that takes, and whether nodes share them. */
static void slots_count(struct slots *w, const struct strip *s, const struct topology *t,
			const short *node, unsigned count, int cols)
{
	int most = 0, here = 0, home = -1, nodes = 0, group;

	for (unsigned at = 0; at < count;) {
		struct strip_segment r = run_at(s, t, node, at, count);

		if (r.node != home) {
			w->lines += (here + w->a_line - 1) / w->a_line;
			home = r.node;
			here = 0;
			nodes++;
		}
		here += ((int)r.count + w->cells - 1) / w->cells;
		most = here > most ? here : most;
		at += r.count;
	}
	w->lines += (here + w->a_line - 1) / w->a_line;
	if (most > w->a_line)
		return;
	group = w->node_cells + most * (w->prefix + w->cells) + (most - 1) * GAP;
	w->nodes_a_line = (cols - w->indent + NODE_GAP) / (group + NODE_GAP);
	w->lines = (nodes + w->nodes_a_line - 1) / w->nodes_a_line;
	w->a_line = most;
}

/* With words, where they cost no line; without ids on a small screen, if that saves one. */
static struct slots slots_choose(const struct strip *s, const struct topology *t, const short *node,
				 unsigned count, int cols)
{
	struct needs n = needs_find(s, t, node, count);
	bool nodes = t->numa_count > 1;
	struct slots few = slots_make(&n, cols, nodes, false), other;

	slots_count(&few, s, t, node, count, cols);
	if (cols >= WORD_COLS) {
		other = slots_make(&n, cols, nodes, true);
		slots_count(&other, s, t, node, count, cols);
		return other.lines <= few.lines ? other : few;
	}
	if (cols >= SMALL_COLS)
		return few;
	n.range = 0;
	other = slots_make(&n, cols, nodes, false);
	slots_count(&other, s, t, node, count, cols);
	return other.lines < few.lines ? other : few;
}

/* Places one run's segments behind those of its node. Returns false if there are too many. */
static bool run_place(struct strip *s, const struct slots *w, const struct strip_segment *run,
		      int node_index, int *slot)
{
	int slot_cells = w->prefix + w->cells;
	int group = w->node_cells + w->a_line * (slot_cells + GAP) - GAP + NODE_GAP;

	for (unsigned done = 0; done < run->count; (*slot)++) {
		struct strip_segment *seg = &s->segment[s->segment_count];
		unsigned left = run->count - done;

		if (s->segment_count == STRIP_SEGMENTS)
			return false;
		*seg = *run;
		seg->at += done;
		seg->count = left < (unsigned)w->cells ? left : (unsigned)w->cells;
		seg->first += (int)done * run->step;
		seg->last = seg->first + (int)(seg->count - 1) * run->step;
		if (*slot % w->a_line == 0 && *slot)
			s->lines++;
		if (*slot)
			seg->node = -1;
		seg->line = s->lines - 1;
		seg->col = w->indent + node_index % w->nodes_a_line * group + w->node_cells +
			   w->prefix + *slot % w->a_line * (slot_cells + GAP);
		done += seg->count;
		s->cpu_count += seg->count;
		s->segment_count++;
	}
	return true;
}

void strip_make(struct strip *s, const struct topology *t, int cols)
{
	short node[STRIP_CPUS];
	struct slots w;
	int home = -1, node_index = -1, slot = 0;
	unsigned count;

	s->lines = 0;
	s->segment_count = s->cpu_count = 0;
	if (!t || !t->cpu || !t->cpu_count || cols < 1)
		return;
	count = nodes_find(t, node);
	order_make(s, node, count);
	w = slots_choose(s, t, node, count, cols);
	s->node_cells = w.node_cells;
	s->word_cells = w.word_cells;
	s->range_cells = w.range_cells;
	for (unsigned at = 0; at < count;) {
		struct strip_segment r = run_at(s, t, node, at, count);

		if (r.node != home) {
			home = r.node;
			slot = 0;
			if (++node_index % w.nodes_a_line == 0)
				s->lines++;
		}
		if (!run_place(s, &w, &r, node_index, &slot))
			return;
		at += r.count;
	}
}
