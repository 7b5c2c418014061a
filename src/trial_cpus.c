/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPUs that go offline and come back while a trial runs.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/cpulist.h"
#include "src/trial_parts.h"

static const char online_path[] = "/sys/devices/system/cpu/online";
static const uint64_t look_every_ns = 1000000000;

int trial_cpus_init(struct trial *t)
{
	t->away = calloc(t->config.threads, sizeof(*t->away));
	t->moved = calloc(t->config.threads, sizeof(*t->moved));
	return t->away && t->moved ? 0 : -ENOMEM;
}

/* The CPUs that are online. @cpu: PAGE_SLOTS entries. Returns how many, 0 if nothing tells. */
static int online_read(int *cpu)
{
	FILE *f = fopen(online_path, "re");
	char *line = NULL;
	size_t size = 0;
	int n = 0;

	if (!f)
		return 0;
	if (getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		n = cpulist_parse(line, cpu, PAGE_SLOTS, NULL);
	}
	free(line);
	fclose(f);
	return n > 0 ? n : 0;
}

static bool listed(const int *cpu, int n, int wanted)
{
	for (int i = 0; i < n; i++)
		if (cpu[i] == wanted)
			return true;
	return false;
}

/* True unless the worker may run elsewhere, or is gone. */
static bool is_pinned(int tid, int cpu)
{
	const size_t cpus = CPULIST_ID_MAX + 1;
	cpu_set_t *set = CPU_ALLOC(cpus);
	size_t bytes = CPU_ALLOC_SIZE(cpus);
	bool pinned = true;

	if (set && sched_getaffinity(tid, bytes, set) == 0)
		pinned = CPU_COUNT_S(bytes, set) == 1 && CPU_ISSET_S((size_t)cpu, bytes, set);
	CPU_FREE(set);
	return pinned;
}

/* Pins a worker to its CPU again: the kernel has forgotten it. */
static bool pin(int tid, int cpu)
{
	size_t bytes = CPU_ALLOC_SIZE((size_t)cpu + 1);
	cpu_set_t *set = CPU_ALLOC((size_t)cpu + 1);
	bool done = false;

	if (set) {
		CPU_ZERO_S(bytes, set);
		CPU_SET_S((size_t)cpu, bytes, set);
		done = sched_setaffinity(tid, bytes, set) == 0;
		CPU_FREE(set);
	}
	return done;
}

/* One pinned worker; @gone: its CPU is offline now. */
static void worker_look(struct trial *t, unsigned i, bool gone)
{
	if (gone && !t->away[i]) {
		t->away[i] = t->moved[i] = true;
		t->cpu_gone = t->cpu[i];
	} else if (!gone && t->tid[i] > 0 && (t->away[i] || !is_pinned(t->tid[i], t->cpu[i])) &&
		   pin(t->tid[i], t->cpu[i])) {
		t->away[i] = false;
		t->moved[i] = true;
		t->cpu_back = t->cpu[i];
	}
}

void trial_cpus_look(struct trial *t)
{
	int *online = calloc(PAGE_SLOTS, sizeof(*online));
	int n = online ? online_read(online) : 0;

	for (unsigned i = 0; n && i < t->config.threads; i++)
		if (t->cpu[i] >= 0)
			worker_look(t, i, !listed(online, n, t->cpu[i]));
	free(online);
}

void trial_cpus_tick(struct trial *t)
{
	uint64_t now = tick_monotonic_ns();

	if (now - t->cpus_at_ns < look_every_ns || t->pid <= 0)
		return;
	t->cpus_at_ns = now;
	trial_cpus_look(t);
}

void trial_cpus_fini(struct trial *t)
{
	free(t->away);
	free(t->moved);
}
