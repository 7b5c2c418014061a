/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers as the kernel does, from a script.
 */
#include "tests/fake_pmu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/cpulist.h"

const int fake_tid[FAKE_RUN_THREADS] = {1 << 30, (1 << 30) + 1, (1 << 30) + 2, (1 << 30) + 3};

enum { PMU_TYPE_SHIFT = 32, RAW_TYPE = PERF_TYPE_RAW };

static struct fake_call *call_log(struct fake_pmu *f, enum fake_call_kind kind, int fd)
{
	struct fake_call *c = &f->call[f->call_count];

	if (f->call_count == FAKE_CALLS)
		abort();
	f->call_count++;
	*c = (struct fake_call){.kind = kind, .fd = fd};
	return c;
}

static struct fake_fd *fd_find(struct fake_pmu *f, int fd)
{
	unsigned i = (unsigned)(fd - FAKE_FD_FIRST);

	return fd >= FAKE_FD_FIRST && i < f->fd_count && f->fd[i].open ? &f->fd[i] : NULL;
}

static const struct fake_event *event_find(const struct fake_pmu *f,
					   const struct perf_event_attr *a, int tid)
{
	bool extended = a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_HW_CACHE;
	uint64_t config = extended ? (uint32_t)a->config : a->config;
	uint32_t pmu = extended ? (uint32_t)(a->config >> PMU_TYPE_SHIFT) : 0;

	for (unsigned i = 0; i < f->event_count; i++) {
		const struct fake_event *e = &f->event[i];

		if (e->type == a->type && e->config == config && (!e->pmu || e->pmu == pmu) &&
		    (!e->tid || e->tid == tid))
			return e;
	}
	return NULL;
}

static int open_code(struct fake_pmu *f, struct perf_event_attr *a, const struct fake_event *e,
		     int group)
{
	if (f->attr_size && a->size > f->attr_size) {
		a->size = f->attr_size;
		return -E2BIG;
	}
	if (e && e->kernel_errno && !a->exclude_kernel)
		return -e->kernel_errno;
	if (!e)
		return -ENOENT;
	if (e->open_errno)
		return -e->open_errno;
	if (group >= 0 && e->sibling_errno)
		return -e->sibling_errno;
	if (group >= 0 && !fd_find(f, group))
		return -EBADF;
	if (f->used >= f->soft || f->fd_count == FAKE_FDS)
		return -EMFILE;
	return 0;
}

static int sys_open(void *ctx, struct perf_event_attr *attr, int tid, int cpu, int group)
{
	struct fake_pmu *f = ctx;
	struct fake_call *c = call_log(f, FAKE_OPEN, -1);
	const struct fake_event *e = event_find(f, attr, tid);

	c->attr = *attr;
	c->tid = tid;
	c->cpu = cpu;
	c->group = group;
	c->rc = open_code(f, attr, e, group);
	if (c->rc)
		return c->rc;
	c->fd = FAKE_FD_FIRST + (int)f->fd_count;
	f->fd[f->fd_count++] = (struct fake_fd){
		.open = true,
		.event = e,
		.leader = group < 0 ? c->fd : group,
		.id = 7000 + 3 * (uint64_t)f->fd_count,
		.read_format = attr->read_format,
	};
	f->used++;
	return c->fd;
}

/* Indices of a leader's group in the order of opening. Returns how many. */
static unsigned members(const struct fake_pmu *f, int leader, unsigned *out)
{
	unsigned n = 0;

	for (unsigned i = 0; i < f->fd_count; i++) {
		if (f->fd[i].open && f->fd[i].leader == leader)
			out[n++] = i;
	}
	return n;
}

/* Writes what the kernel would. Returns bytes. */
static size_t group_write(const struct fake_pmu *f, const struct fake_fd *lead, uint64_t *word)
{
	unsigned m[FAKE_FDS], n = members(f, lead->leader, m);
	bool fits = !f->group_fits || n <= f->group_fits || lead->event->type == PERF_TYPE_SOFTWARE;
	bool runs = lead->enabled && fits;

	word[0] = n;
	word[1] = lead->enabled ? lead->event->enabled_ns : 0;
	word[2] = runs ? lead->event->running_ns : 0;
	for (unsigned k = 0; k < n; k++) {
		unsigned at = lead->enabled && f->read_as == FAKE_READ_REVERSED ? n - 1 - k : k;
		const struct fake_fd *d = &f->fd[m[at]];

		word[3 + 2 * k] = runs ? d->event->value : 0;
		word[4 + 2 * k] = d->id;
		if (lead->enabled && f->read_as == FAKE_READ_STRANGERS)
			word[4 + 2 * k] += 1;
	}
	if (lead->enabled && f->read_as == FAKE_READ_NR_MANY)
		word[0] = UINT64_MAX;
	if (lead->enabled && f->read_as == FAKE_READ_NR_NONE)
		word[0] = 0;
	return (3 + 2 * n) * sizeof(*word);
}

static ssize_t sys_read(void *ctx, int fd, void *buf, size_t size)
{
	struct fake_pmu *f = ctx;
	const struct fake_fd *d = fd_find(f, fd);
	uint64_t word[3 + 2 * FAKE_EVENTS] = {0};
	size_t n = 4 * sizeof(*word);

	call_log(f, FAKE_READ, fd);
	if (!d)
		return -EBADF;
	if (d->read_format & PERF_FORMAT_GROUP)
		n = group_write(f, d, word);
	else
		word[3] = d->id;
	if (d->enabled && f->read_as == FAKE_READ_NOTHING)
		return 0;
	if (size < n || (d->enabled && f->read_as == FAKE_READ_ERROR))
		return -ENOSPC;
	if (d->enabled && f->read_as == FAKE_READ_SHORT)
		n -= sizeof(*word);
	if (d->enabled && f->read_as == FAKE_READ_HEAD)
		n = 2 * sizeof(*word);
	memcpy(buf, word, n);
	return (ssize_t)n;
}

static int sys_control(void *ctx, int fd, enum pmu_control what)
{
	struct fake_pmu *f = ctx;
	struct fake_fd *d = fd_find(f, fd);

	call_log(f, what == PMU_ENABLE ? FAKE_ENABLE : FAKE_DISABLE, fd);
	if (!d)
		return -EBADF;
	if (f->control_errno)
		return -f->control_errno;
	d->enabled = true;
	return 0;
}

static void sys_close(void *ctx, int fd)
{
	struct fake_pmu *f = ctx;
	struct fake_fd *d = fd_find(f, fd);

	call_log(f, FAKE_CLOSE, fd);
	if (!d)
		abort();
	d->open = false;
	f->used--;
}

static int sys_encode(void *ctx, const char *name, bool kernel, struct perf_event_attr *attr,
		      char *full, size_t size)
{
	(void)ctx;
	(void)kernel;
	(void)attr;
	snprintf(full, size, "%s", name);
	return -1;
}

static const char *sys_core_pmu(void *ctx)
{
	(void)ctx;
	return "";
}

static int sys_fd_limits(void *ctx, uint64_t *soft, uint64_t *hard, uint64_t *used)
{
	const struct fake_pmu *f = ctx;

	*soft = f->soft;
	*hard = f->hard;
	*used = f->used;
	return 0;
}

static int sys_fd_raise(void *ctx)
{
	struct fake_pmu *f = ctx;

	call_log(f, FAKE_RAISE, -1);
	if (f->raise_errno)
		return -f->raise_errno;
	f->soft = f->hard;
	return 0;
}

struct fake_pmu *fake_new(void)
{
	struct fake_pmu *f = calloc(1, sizeof(*f));

	if (!f)
		abort();
	f->soft = f->hard = 1024;
	f->used = 3;
	f->sys = (struct pmu_sys){
		.ctx = f,
		.root = "/nonexistent",
		.open = sys_open,
		.read = sys_read,
		.control = sys_control,
		.close = sys_close,
		.encode = sys_encode,
		.core_pmu = sys_core_pmu,
		.fd_limits = sys_fd_limits,
		.fd_raise = sys_fd_raise,
	};
	return f;
}

struct fake_event *fake_count(struct fake_pmu *f, uint32_t type, uint64_t config, uint64_t value,
			      uint64_t enabled_ns, uint64_t running_ns)
{
	struct fake_event *e = &f->event[f->event_count];

	if (f->event_count == FAKE_EVENTS)
		abort();
	f->event_count++;
	*e = (struct fake_event){
		.type = type,
		.config = config,
		.value = value,
		.enabled_ns = enabled_ns,
		.running_ns = running_ns,
	};
	return e;
}

unsigned fake_calls(const struct fake_pmu *f, enum fake_call_kind kind)
{
	unsigned n = 0;

	for (unsigned i = 0; i < f->call_count; i++)
		n += f->call[i].kind == kind;
	return n;
}

const struct fake_call *fake_opened(const struct fake_pmu *f, unsigned nth)
{
	for (unsigned i = 0; i < f->call_count; i++) {
		const struct fake_call *c = &f->call[i];

		if (c->kind == FAKE_OPEN && c->rc == 0 && nth-- == 0)
			return c;
	}
	return NULL;
}

unsigned fake_open(const struct fake_pmu *f)
{
	unsigned n = 0;

	for (unsigned i = 0; i < f->fd_count; i++)
		n += f->fd[i].open;
	return n;
}

void fake_list(struct pmu_list *l, const struct pmu_sys *sys)
{
	*l = (struct pmu_list){.sys = sys};
	l->host.core_count = 1;
	l->host.core[0] = (struct pmu_core){.name = "cpu", .type = RAW_TYPE};
	snprintf(l->host.pfm_name, sizeof(l->host.pfm_name), "%s", "spr");
	l->host.paranoid = 2;
	l->host.nmi_watchdog = 0;
	l->host.seccomp = 0;
	sys->fd_limits(sys->ctx, &l->host.fd_soft, &l->host.fd_hard, &l->host.fd_used);
}

void fake_list_core(struct pmu_list *l, const char *name, uint32_t type, const char *cpus)
{
	struct pmu_core *c;
	int cpu[256], n = cpulist_parse(cpus, cpu, 256, NULL);

	if (n <= 0 || l->host.core_count == PMU_CORES)
		abort();
	if (strcmp(l->host.core[0].name, "cpu") == 0)
		l->host.core_count = 0;
	c = &l->host.core[l->host.core_count++];
	*c = (struct pmu_core){.type = type, .count = (unsigned)n};
	snprintf(c->name, sizeof(c->name), "%s", name);
	c->cpu = malloc((size_t)n * sizeof(*cpu));
	if (!c->cpu)
		abort();
	memcpy(c->cpu, cpu, (size_t)n * sizeof(*cpu));
	l->host.pfm_name[0] = '\0';
}

struct pmu_event *fake_list_add(struct pmu_list *l, const char *id, enum pmu_role role,
				unsigned group, uint32_t type, uint64_t config)
{
	struct pmu_event *ev = &l->event[l->count];

	if (l->count == PMU_EVENTS)
		abort();
	l->count++;
	*ev = (struct pmu_event){
		.role = role,
		.source = type == PERF_TYPE_SOFTWARE ? PMU_SOFTWARE : PMU_HARDWARE,
		.group = group,
		.attr = calloc(1, sizeof(*ev->attr)),
	};
	if (!ev->attr)
		abort();
	ev->attr->size = sizeof(*ev->attr);
	ev->attr->type = type;
	ev->attr->config = config;
	snprintf(ev->id, sizeof(ev->id), "%s", id);
	snprintf(ev->label, sizeof(ev->label), "%s", id);
	if (l->group_count <= group)
		l->group_count = group + 1;
	return ev;
}

void fake_list_software(struct pmu_list *l)
{
	fake_list_add(l, "task-clock", PMU_TASK_CLOCK, 0, PERF_TYPE_SOFTWARE,
		      PERF_COUNT_SW_TASK_CLOCK);
	fake_list_add(l, "context-switches", PMU_SWITCHES, 0, PERF_TYPE_SOFTWARE,
		      PERF_COUNT_SW_CONTEXT_SWITCHES);
	fake_list_add(l, "cpu-migrations", PMU_MIGRATIONS, 0, PERF_TYPE_SOFTWARE,
		      PERF_COUNT_SW_CPU_MIGRATIONS);
	fake_list_add(l, "page-faults", PMU_FAULTS, 0, PERF_TYPE_SOFTWARE,
		      PERF_COUNT_SW_PAGE_FAULTS);
}

void fake_list_hardware(struct pmu_list *l)
{
	fake_list_add(l, "cycles", PMU_CYCLES, 1, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	fake_list_add(l, "instructions", PMU_INSTRUCTIONS, 1, PERF_TYPE_HARDWARE,
		      PERF_COUNT_HW_INSTRUCTIONS);
	fake_list_add(l, "cache-misses", PMU_MISSES, 1, PERF_TYPE_HARDWARE,
		      PERF_COUNT_HW_CACHE_MISSES);
}

struct fake_run *fake_run_new(void)
{
	struct fake_run *u = calloc(1, sizeof(*u));

	if (!u)
		abort();
	u->f = fake_new();
	fake_list(&u->l, &u->f->sys);
	fake_list_software(&u->l);
	fake_list_hardware(&u->l);
	for (unsigned i = 0; i < u->l.count; i++) {
		const struct perf_event_attr *a = u->l.event[i].attr;

		if (i < FAKE_CYCLES)
			fake_count(u->f, a->type, a->config, 100 + i, 5000, 5000);
		else
			fake_count(u->f, a->type, a->config, 200 + i - FAKE_CYCLES, 6000, 6000);
	}
	return u;
}

void fake_run_open(struct fake_run *u, const int *cpu, unsigned threads)
{
	if (pmu_set_open(&u->s, &u->l, (int)getpid(), fake_tid, cpu, threads, NULL) != 0)
		abort();
	pmu_set_read(&u->s, u->c);
}

void fake_run_free(struct fake_run *u)
{
	pmu_set_close(&u->s);
	if (fake_open(u->f) != 0)
		abort();
	pmu_list_fini(&u->l);
	free(u->f);
	free(u);
}

const struct pmu_count *fake_run_count(const struct fake_run *u, unsigned thread, unsigned event)
{
	return &u->c[thread * FAKE_RUN_EVENTS + event];
}
