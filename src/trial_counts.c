/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counters of a trial: opened from outside when all threads exist and none has begun, read
 * while all wait at the ends of the measured phase, so that counts and operations are of the same
 * time.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/trial_parts.h"

static size_t readings(const struct trial *t)
{
	return t->env->events ? (size_t)t->config.threads * t->env->events->count : 0;
}

int trial_counts_init(struct trial *t)
{
	t->counts_from = calloc(readings(t) + 1, sizeof(*t->counts_from));
	t->counts_to = calloc(readings(t) + 1, sizeof(*t->counts_to));
	t->tid = malloc(t->config.threads * sizeof(*t->tid));
	for (unsigned i = 0; t->tid && i < t->config.threads; i++)
		t->tid[i] = -1;
	return t->counts_from && t->counts_to && t->tid ? 0 : -ENOMEM;
}

int trial_sync_open(struct trial *t, int *child_fd, struct err *e)
{
	int pair[2];

	*child_fd = -1;
	if (!t->env->events)
		return 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return err_set(e, -errno, "socketpair: %s", strerror(errno));
	t->sync_fd = pair[0];
	*child_fd = pair[1];
	t->page->ctl.sync = 1;
	return 0;
}

/*
 * All threads exist, and their slots, written before the bell, say who they are. The page is
 * untrusted: a thread that is not the lab's is none.
 */
static void tids_read(struct trial *t)
{
	char path[64];

	for (unsigned i = 0; i < t->config.threads; i++) {
		int tid = __atomic_load_n(&t->page->slot[i].tid, __ATOMIC_RELAXED);

		snprintf(path, sizeof(path), "/proc/%d/task/%d", (int)t->pid, tid);
		t->tid[i] = tid > 0 && access(path, F_OK) == 0 ? tid : -1;
	}
}

static void counters_open(struct trial *t)
{
	if (t->have_counters)
		return;
	tids_read(t);
	t->have_counters = pmu_set_open(&t->counters, t->env->events, t->pid, t->tid, t->cpu,
					t->config.threads, NULL) == 0;
}

static void point_reached(struct trial *t, enum page_sync point)
{
	counters_open(t);
	if (!t->have_counters)
		return;
	switch (point) {
	case PAGE_SYNC_WARM:
		break;
	case PAGE_SYNC_MEASURED:
		pmu_set_read(&t->counters, t->counts_from);
		t->have_from = true;
		break;
	case PAGE_SYNC_END:
		pmu_set_read(&t->counters, t->counts_to);
		t->have_to = t->have_from;
		trial_cpus_look(t);
		break;
	}
}

void trial_counts_tick(struct trial *t)
{
	struct snap *s = &t->snap[t->cur];
	char byte;

	/* Whoever sends nonsense is answered: the lab waits for it. */
	while (t->sync_fd >= 0 && recv(t->sync_fd, &byte, 1, MSG_DONTWAIT) == 1) {
		if (byte >= PAGE_SYNC_WARM && byte <= PAGE_SYNC_END)
			point_reached(t, (enum page_sync)byte);
		send(t->sync_fd, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	}
	if (t->have_to)
		memcpy(s->count, t->counts_to, readings(t) * sizeof(*s->count));
	else if (t->have_counters && t->env->live_counters)
		snap_counters(s, &t->counters, WHY_OK);
	else
		snap_counters(s, NULL, WHY_NOT_YET);
}

const struct pmu_count *trial_counts_newest(const struct trial *t)
{
	if (t->have_to)
		return t->counts_to;
	return t->have_counters && t->env->live_counters ? t->snap[t->cur].count : NULL;
}

const char *trial_counts_news(struct trial *t)
{
	if (!t->have_counters || t->counts_told)
		return NULL;
	t->counts_told = true;
	return t->counters.note[0] ? t->counters.note : NULL;
}

void trial_counts_fini(struct trial *t)
{
	if (t->have_counters)
		pmu_set_close(&t->counters);
	if (t->sync_fd >= 0)
		close(t->sync_fd);
	free(t->counts_from);
	free(t->counts_to);
	free(t->tid);
}
