/* SPDX-License-Identifier: MIT */
/*
 * Groups of perf_event_open(2): no inheritance, not pinned, not exclusive, never reset.
 *
 * Unpinned: a group that does not fit takes turns and is scaled, a pinned one would end in an error
 * state. Values are told apart by id: nr and the order are what the kernel makes of siblings that
 * come and go.
 */
#include "probes/pmu_group.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "probes/pmu_why.h"

/* Words of a reading with PERF_FORMAT_GROUP: nr, enabled, running, then value and id of each. */
enum { WORDS_HEAD = 3, WORDS_EACH = 2 };

/* Words of a reading without: value, enabled, running, id. */
enum { WORDS_SINGLE = 4, WORD_SINGLE_ID = 3 };

static const uint64_t format_single =
	PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;

bool pmu_event_opens(const struct pmu_event *ev)
{
	return ev->attr && ev->why == WHY_OK &&
	       (ev->source == PMU_HARDWARE || ev->source == PMU_SOFTWARE);
}

int pmu_open_one(const struct pmu_sys *sys, const struct perf_event_attr *attr, int tid, int group)
{
	struct perf_event_attr a = *attr;
	int fd = sys->open(sys->ctx, &a, tid, -1, group);

	if (fd == -EMFILE && sys->fd_raise(sys->ctx) == 0)
		fd = sys->open(sys->ctx, &a, tid, -1, group);
	/* The kernel has written the size it knows; what it does not know is 0 anyway. */
	if (fd == -E2BIG && a.size >= PERF_ATTR_SIZE_VER0 && a.size < attr->size)
		fd = sys->open(sys->ctx, &a, tid, -1, group);
	return fd;
}

/* The attr of event @i as a leader, or as a sibling of one. */
static void attr_make(const struct pmu_spot *at, unsigned i, bool leads,
		      struct perf_event_attr *out)
{
	pmu_event_attr(&at->list->event[i], at->host, at->core, out);
	out->read_format = leads ? format_single | PERF_FORMAT_GROUP : format_single;
	out->disabled = leads;
	out->inherit = 0;
	out->pinned = 0;
	out->exclusive = 0;
}

/*
 * The id of a fresh event: that of the only member, or of a sibling read by itself. Nothing runs
 * yet, so that the read disturbs nobody.
 */
static bool id_read(const struct pmu_sys *sys, bool leads, struct pmu_cell *c)
{
	uint64_t word[WORDS_HEAD + WORDS_EACH] = {0};
	unsigned words = leads ? WORDS_HEAD + WORDS_EACH : WORDS_SINGLE;
	ssize_t n = sys->read(sys->ctx, c->fd, word, words * sizeof(*word));

	if (n != (ssize_t)(words * sizeof(*word)))
		return false;
	c->id = leads ? word[WORDS_HEAD + 1] : word[WORD_SINGLE_ID];
	return true;
}

/* Opens event @i; @leader: index of the group's leader, or @i itself. */
static void cell_open(const struct pmu_spot *at, unsigned i, unsigned leader, struct pmu_cell *cell)
{
	const struct pmu_sys *sys = at->list->sys;
	struct pmu_cell *c = &cell[i];
	struct perf_event_attr attr;
	bool leads = leader == i;

	attr_make(at, i, leads, &attr);
	c->fd = pmu_open_one(sys, &attr, at->tid, leads ? -1 : cell[leader].fd);
	c->leader = leader;
	c->code = 0;
	if (c->fd < 0) {
		c->code = -c->fd;
		c->fd = -1;
	} else if (!id_read(sys, leads, c)) {
		sys->close(sys->ctx, c->fd);
		*c = pmu_cell_closed(WHY_LOST);
	}
}

int pmu_group_open(const struct pmu_spot *at, unsigned group, struct pmu_cell *cell)
{
	const struct pmu_list *l = at->list;
	unsigned leader = l->count;
	char unused[PMU_NOTE_BYTES];

	for (unsigned i = 0; i < l->count; i++) {
		const struct pmu_event *ev = &l->event[i];

		if (ev->group != group || !pmu_event_opens(ev) || cell[i].why != WHY_OK)
			continue;
		cell_open(at, i, leader < l->count ? leader : i, cell);
		if (cell[i].code == EINVAL && leader < l->count)
			cell_open(at, i, i, cell);
		if (cell[i].code == ESRCH)
			return -ESRCH;
		if (cell[i].code)
			cell[i].why = pmu_cell_why(at, i, &cell[i], unused, sizeof(unused));
		else if (cell[i].fd >= 0 && leader == l->count)
			leader = i;
	}
	return 0;
}

enum reason pmu_cell_why(const struct pmu_spot *at, unsigned i, const struct pmu_cell *cell,
			 char *buf, size_t size)
{
	const struct pmu_event *ev = &at->list->event[i];
	const struct pmu_try t = {
		.event = ev->id,
		.hardware = ev->source == PMU_HARDWARE,
		.cpu = at->cpu,
		.group = 1,
		.fds_needed = at->fds_needed,
	};

	if (cell->code)
		return pmu_why(at->host, &t, cell->code, buf, size);
	snprintf(buf, size, "%s: %s", ev->id, reason_sentence(cell->why));
	return cell->why;
}

static unsigned cell_close(const struct pmu_sys *sys, struct pmu_cell *c, enum reason why)
{
	if (c->fd < 0)
		return 0;
	sys->close(sys->ctx, c->fd);
	*c = pmu_cell_closed(why);
	return 1;
}

/* A leader, and with it all that it leads. */
static bool leads(const struct pmu_cell *cell, unsigned i)
{
	return cell[i].fd >= 0 && cell[i].leader == i;
}

void pmu_cells_control(const struct pmu_list *l, struct pmu_cell *cell, enum pmu_control what)
{
	for (unsigned i = 0; i < l->count; i++) {
		if (!leads(cell, i) || l->sys->control(l->sys->ctx, cell[i].fd, what) == 0)
			continue;
		for (unsigned k = l->count; k-- > 0;) {
			if (cell[k].fd >= 0 && cell[k].leader == i)
				cell_close(l->sys, &cell[k], WHY_LOST);
		}
	}
}

/* Values of the group that cell @lead leads, from @n bytes; what is not among them stays lost. */
static void group_parse(const struct pmu_list *l, const struct pmu_cell *cell, unsigned lead,
			const uint64_t *word, size_t n, struct pmu_count *out)
{
	uint64_t entries = n / sizeof(*word);

	if (entries < WORDS_HEAD)
		return;
	entries = (entries - WORDS_HEAD) / WORDS_EACH;
	if (word[0] < entries)
		entries = word[0];
	for (uint64_t e = 0; e < entries; e++) {
		const uint64_t *pair = word + WORDS_HEAD + e * WORDS_EACH;

		for (unsigned i = 0; i < l->count; i++) {
			if (cell[i].fd < 0 || cell[i].leader != lead || cell[i].id != pair[1])
				continue;
			out[i] = (struct pmu_count){
				.value = pair[0],
				.enabled_ns = word[1],
				.running_ns = word[2],
			};
		}
	}
}

void pmu_cells_read(const struct pmu_list *l, const struct pmu_cell *cell, struct pmu_count *out)
{
	uint64_t word[WORDS_HEAD + WORDS_EACH * PMU_EVENTS];

	for (unsigned i = 0; i < l->count; i++) {
		enum reason why = cell[i].fd >= 0 ? WHY_LOST : cell[i].why;

		out[i] = (struct pmu_count){.why = why == WHY_OK ? WHY_UNSUPPORTED : why};
	}
	for (unsigned i = 0; i < l->count; i++) {
		ssize_t n;

		if (!leads(cell, i))
			continue;
		n = l->sys->read(l->sys->ctx, cell[i].fd, word, sizeof(word));
		if (n > 0 && (size_t)n <= sizeof(word))
			group_parse(l, cell, i, word, (size_t)n, out);
	}
}

unsigned pmu_cells_close(const struct pmu_list *l, struct pmu_cell *cell, enum reason why)
{
	unsigned closed = 0;

	/* Siblings first: each would become a group of its own for a moment. */
	for (unsigned i = l->count; i-- > 0;)
		closed += cell_close(l->sys, &cell[i], why);
	return closed;
}

struct pmu_count pmu_count_merge(const struct pmu_count *part, unsigned n, unsigned stride)
{
	struct pmu_count sum = {.enabled_ns = UINT64_MAX};

	for (unsigned k = 0; k < n; k++) {
		const struct pmu_count *p = &part[(size_t)k * stride];

		if (p->why != WHY_OK)
			return (struct pmu_count){.why = p->why};
		sum.value += p->value;
		sum.running_ns += p->running_ns;
		if (p->enabled_ns < sum.enabled_ns)
			sum.enabled_ns = p->enabled_ns;
	}
	/* The shortest misses what lies between the calls; the parts may have run in it. */
	if (sum.running_ns > sum.enabled_ns && n > 1)
		sum.enabled_ns = sum.running_ns;
	return sum;
}
