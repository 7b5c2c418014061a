/* SPDX-License-Identifier: MIT */
/*
 * Makes one event out of a role or of a name.
 *
 * A role never fails: what this CPU lacks becomes an event with a reason. A name fails if it means
 * nothing.
 */
#include "probes/pmu_event.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <linux/perf_event.h>
#include <perfmon/pfmlib.h>

enum { LABEL_CELLS = 8 };

/* A new attr as all events have it, or NULL. */
static struct perf_event_attr *attr_new(void)
{
	struct perf_event_attr *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->size = sizeof(*a);
	a->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			 PERF_FORMAT_TOTAL_TIME_RUNNING;
	return a;
}

/* Encodes @name into a new attr of @ev. Returns 0 or libpfm4's error, with no attr then. */
static int encode(const struct pmu_sys *sys, struct pmu_event *ev, const char *name)
{
	int rc;

	ev->attr = attr_new();
	if (!ev->attr)
		return PFM_ERR_NOMEM;
	ev->full[0] = '\0';
	rc = sys->encode(sys->ctx, name, true, ev->attr, ev->full, sizeof(ev->full));
	if (rc) {
		free(ev->attr);
		ev->attr = NULL;
		return rc;
	}
	ev->user_only = ev->attr->exclude_kernel;
	return 0;
}

/* Makes @ev one that is not counted. */
static void __attribute__((format(printf, 3, 4)))
nowhere(struct pmu_event *ev, enum reason why, const char *fmt, ...)
{
	va_list args;

	free(ev->attr);
	ev->attr = NULL;
	ev->source = PMU_NOWHERE;
	ev->why = why;
	va_start(args, fmt);
	vsnprintf(ev->note, sizeof(ev->note), fmt, args);
	va_end(args);
}

/* Who counts an event of this type; false if it counts no threads but a chip. */
static bool source_find(const struct pmu_host *h, uint32_t type, enum pmu_source *out)
{
	*out = type == PERF_TYPE_SOFTWARE || type == PERF_TYPE_TRACEPOINT ? PMU_SOFTWARE
									  : PMU_HARDWARE;
	if (type < PERF_TYPE_MAX)
		return true;
	for (unsigned i = 0; i < h->core_count; i++) {
		if (h->core[i].type == type)
			return true;
	}
	return false;
}

static void texts_set(struct pmu_event *ev, const struct pmu_row *row)
{
	snprintf(ev->label, sizeof(ev->label), "%s", row->label);
	snprintf(ev->means, sizeof(ev->means), "%s", row->means);
	ev->native = row->native;
}

/* What libpfm4 encodes for a row, and the event's id. */
static void row_name(const struct pmu_row *row, char *buf, size_t size)
{
	if (row->native)
		snprintf(buf, size, "%s::%s", row->pmu, row->event);
	else
		snprintf(buf, size, "%s", row->event);
}

/* No row answers @role, or libpfm4 refuses the one that does, @row, with @rc. */
static void role_nowhere(const struct pmu_host *h, struct pmu_event *ev, const struct pmu_row *row,
			 int rc)
{
	const char *name = pmu_role_name(ev->role);

	snprintf(ev->id, sizeof(ev->id), "%s", name);
	snprintf(ev->label, sizeof(ev->label), "%s", pmu_role_label(ev->role));
	if (row)
		nowhere(ev, WHY_UNSUPPORTED, "this libpfm4 does not encode %s: %s", row->event,
			pmu_sys_encode_error(rc));
	else if (h->pfm_name[0])
		nowhere(ev, WHY_UNSUPPORTED, "%s: this CPU (%s) has no event for it", name,
			h->pfm_name);
	else
		nowhere(ev, WHY_UNSUPPORTED,
			"%s: libpfm4 knows no events of this %s, and no generic event answers it",
			name, pmu_host_hybrid(h) ? "hybrid CPU" : "CPU");
}

/* The event of a role by one row. Returns 0 or libpfm4's error. */
static int row_make(const struct pmu_sys *sys, const struct pmu_host *h, const struct pmu_row *row,
		    struct pmu_event *ev)
{
	int rc;

	row_name(row, ev->id, sizeof(ev->id));
	rc = encode(sys, ev, ev->id);
	if (rc)
		return rc;
	texts_set(ev, row);
	if (!source_find(h, ev->attr->type, &ev->source))
		nowhere(ev, WHY_UNSUPPORTED, "%s counts a whole chip, not threads", ev->id);
	return 0;
}

int pmu_event_of_role(const struct pmu_sys *sys, const struct pmu_host *h, enum pmu_role role,
		      bool stand_in, struct pmu_event *ev)
{
	const struct pmu_row *row = pmu_table_find(h->pfm_name, h->vendor, role);
	const struct pmu_row *other =
		!row || row->native ? pmu_table_find("", h->vendor, role) : NULL;
	int rc = PFM_ERR_NOTFOUND;

	*ev = (struct pmu_event){.role = role};
	if (row)
		rc = row_make(sys, h, row, ev);
	if (rc == PFM_SUCCESS || rc == PFM_ERR_NOMEM)
		return rc ? -ENOMEM : 0;
	if (!other && stand_in)
		other = pmu_table_find("", h->vendor, PMU_MISSES);
	if (other)
		rc = row_make(sys, h, other, ev);
	if (rc == PFM_ERR_NOMEM)
		return -ENOMEM;
	if (rc == PFM_SUCCESS)
		snprintf(ev->means, sizeof(ev->means), "stands in for %s: %s", pmu_role_name(role),
			 other->means);
	else
		role_nowhere(h, ev, row, rc);
	return 0;
}

bool pmu_event_same(const struct pmu_event *a, const struct pmu_event *b)
{
	return a->attr && b->attr && memcmp(a->attr, b->attr, sizeof(*a->attr)) == 0;
}

/* True if @part is a modifier: "u", "k", "c=1"; a unit mask is longer and has no '='. */
static bool is_modifier(const char *part, size_t length)
{
	return length <= 2 || memchr(part, '=', length);
}

/* The part of a name that tells most: the last unit mask, else the event, cut to a label. */
static void label_make(const char *name, char *buf, size_t size)
{
	const char *best = name;
	size_t best_length = strcspn(name, ":");

	for (const char *p = strchr(name, ':'); p; p = strchr(p, ':')) {
		size_t length;

		p += strspn(p, ":");
		length = strcspn(p, ":");
		if (!is_modifier(p, length)) {
			best = p;
			best_length = length;
		}
	}
	if (best_length > LABEL_CELLS)
		best_length = LABEL_CELLS;
	snprintf(buf, size, "%.*s", (int)best_length, best);
}

/* Looks "system:event" up in tracefs, which libpfm4 does only where debugfs is mounted. */
static bool tracepoint_make(const struct pmu_sys *sys, const char *name, struct pmu_event *ev)
{
	static const char *const folders[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
	const char *colon = strchr(name, ':');
	char path[256], line[32];
	int rc = -ENOENT;

	if (!colon || strchr(colon + 1, ':') || strchr(name, '/') || strchr(name, '='))
		return false;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && rc == -ENOENT; i++) {
		snprintf(path, sizeof(path), "%s/events/%.*s/%s/id", folders[i],
			 (int)(colon - name), name, colon + 1);
		rc = pmu_sys_line(sys, path, line, sizeof(line));
	}
	if (rc == -EACCES) {
		nowhere(ev, WHY_DENIED, "%s: only root may read %s", name, path);
		return true;
	}
	ev->attr = rc > 0 ? attr_new() : NULL;
	if (!ev->attr)
		return false;
	ev->attr->type = PERF_TYPE_TRACEPOINT;
	ev->attr->config = strtoull(line, NULL, 10);
	ev->source = PMU_SOFTWARE;
	snprintf(ev->full, sizeof(ev->full), "%s", name);
	return true;
}

/* What name_seen() looks for. */
struct wanted {
	const char *name;
	size_t length;
	bool found;
};

static bool name_seen(void *arg, const char *name)
{
	struct wanted *w = arg;

	w->found = strlen(name) == w->length && strncasecmp(name, w->name, w->length) == 0;
	return !w->found;
}

/* "pmu::EVENT..." of a PMU that libpfm4 knows but this machine does not have. */
static bool elsewhere_make(const struct pmu_host *h, const char *name, struct pmu_event *ev)
{
	const char *colons = strstr(name, "::");
	struct wanted w = {0};
	char pmu[64];

	if (!colons || colons - name >= (int)sizeof(pmu) || colons == name)
		return false;
	snprintf(pmu, sizeof(pmu), "%.*s", (int)(colons - name), name);
	w.name = colons + 2;
	w.length = strcspn(w.name, ":");
	if (strcasecmp(pmu, h->pfm_name) != 0)
		pmu_sys_names(pmu, name_seen, &w);
	if (w.found)
		nowhere(ev, WHY_UNSUPPORTED, "%s is an event of %s, and this CPU is %s", name, pmu,
			h->pfm_name[0] ? h->pfm_name : "none that libpfm4 knows");
	return w.found;
}

static int name_refuse(const char *name, int rc, struct err *e)
{
	const char *hint = "";

	if (rc == PFM_ERR_NOTFOUND)
		return err_set(e, -ENOENT,
			       "event %s: libpfm4 knows no such event here (list: `hotline "
			       "counters`; names: cycles, PMU::EVENT:UMASK, system:tracepoint)",
			       name);
	if (rc == PFM_ERR_NOMEM)
		return err_set(e, -ENOMEM, "event %s: out of memory", name);
	if (rc == PFM_ERR_UMASK)
		hint = " (write EVENT:UMASK)";
	else if (rc == PFM_ERR_ATTR)
		hint = " (a unit mask or modifier it does not have; counters follow threads: no "
		       ":cpu=, :pinned, :period=)";
	else if (rc == PFM_ERR_INVAL)
		hint = " (one event a name)";
	return err_set(e, -EINVAL, "event %s: %s%s", name, pmu_sys_encode_error(rc), hint);
}

/* Events that happen in the kernel, asked for without its part: no error, and always 0. */
static bool never_in_user_mode(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && a->exclude_kernel &&
	       (a->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		a->config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

int pmu_event_of_name(const struct pmu_sys *sys, const struct pmu_host *h, const char *name,
		      struct pmu_event *ev, struct err *e)
{
	int rc;

	*ev = (struct pmu_event){.role = PMU_OTHER};
	rc = encode(sys, ev, name);
	snprintf(ev->id, sizeof(ev->id), "%s", name);
	label_make(name, ev->label, sizeof(ev->label));
	ev->native = strstr(ev->full, "::") && strncmp(ev->full, "perf", 4) != 0;
	if (rc == PFM_ERR_NOTFOUND &&
	    (tracepoint_make(sys, name, ev) || elsewhere_make(h, name, ev)))
		return 0;
	if (rc == PFM_ERR_NOTSUPP) {
		nowhere(ev, WHY_UNSUPPORTED, "%s: %s: this kernel does not offer its PMU", name,
			pmu_sys_encode_error(rc));
		return 0;
	}
	if (rc != PFM_SUCCESS)
		return name_refuse(name, rc, e);
	if (!source_find(h, ev->attr->type, &ev->source))
		nowhere(ev, WHY_UNSUPPORTED, "%s counts a whole chip, not threads", name);
	else if (never_in_user_mode(ev->attr))
		nowhere(ev, WHY_UNSUPPORTED,
			"%s: the kernel does it: of user mode alone it would count 0 for ever",
			name);
	return 0;
}

void pmu_event_attr(const struct pmu_event *ev, const struct pmu_host *h,
		    const struct pmu_core *core, struct perf_event_attr *out)
{
	*out = *ev->attr;
	if (!core || !pmu_host_hybrid(h))
		return;
	if (out->type == PERF_TYPE_HARDWARE || out->type == PERF_TYPE_HW_CACHE)
		out->config |= (uint64_t)core->type << 32;
	else if (out->type == PERF_TYPE_RAW)
		out->type = core->type;
}
