/* SPDX-License-Identifier: MIT */
/*
 * From errno to a reason and a sentence.
 *
 * One number has several causes: what the host says of itself (PMUs, a seccomp filter, a
 * hypervisor, the watchdog) picks the likely one. perf_event_paranoid is printed, never decided by.
 */
#include "probes/pmu_why.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SECCOMP_FILTERED = 2 }; /* Seccomp: of proc(5) */

/* Where the sentence goes. */
struct sentence {
	char *buf;
	size_t size;
};

__attribute__((format(printf, 3, 4))) static enum reason tell(const struct sentence *s,
							      enum reason why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->buf, s->size, fmt, ap);
	va_end(ap);
	return why;
}

static bool filtered(const struct pmu_host *h)
{
	return h->seccomp == SECCOMP_FILTERED;
}

/* ENOENT, EOPNOTSUPP: nothing here counts it. */
static enum reason why_absent(const struct pmu_host *h, const struct pmu_try *t, int code,
			      const struct sentence *s)
{
	if (t->hardware && !h->core_count)
		return tell(s, WHY_UNSUPPORTED,
			    "No hardware counters: %s. Lock timing and software counters still "
			    "work.",
			    h->guest ? "this virtual machine exposes no PMU"
				     : "this CPU, or its kernel, exposes no PMU");
	if (code == EOPNOTSUPP)
		return tell(s, WHY_UNSUPPORTED, "%s: this %s cannot count it", t->event,
			    h->guest ? "virtual machine's PMU" : "PMU");
	return tell(s, WHY_UNSUPPORTED, "%s does not exist %s", t->event,
		    t->hardware ? "on this CPU" : "in this kernel");
}

/* EACCES: the number is for the reader; distributions give 3 and more meanings of their own. */
static enum reason why_privilege(const struct pmu_host *h, const struct pmu_try *t,
				 const struct sentence *s)
{
	char now[24] = "unknown";

	if (h->paranoid != PMU_UNKNOWN)
		snprintf(now, sizeof(now), "%d", h->paranoid);
	if (!h->cap_perfmon && (h->paranoid == PMU_UNKNOWN || h->paranoid > 1))
		return tell(s, WHY_DENIED,
			    "%s: needs kernel.perf_event_paranoid <= 1, for user mode alone <= 2 "
			    "(now %s), or CAP_PERFMON",
			    t->event, now);
	return tell(s, WHY_DENIED,
		    "%s: denied though %s (perf_event_paranoid: %s): another user's thread or a "
		    "security module",
		    t->event, h->cap_perfmon ? "CAP_PERFMON is held" : "the limit allows it", now);
}

/* EPERM */
static enum reason why_forbidden(const struct pmu_host *h, const struct pmu_try *t,
				 const struct sentence *s)
{
	if (h->seccomp == 0)
		return tell(s, WHY_DENIED,
			    "%s: not permitted by the kernel: lockdown, or a privilege level that "
			    "this PMU cannot leave out",
			    t->event);
	return tell(s, WHY_DENIED,
		    "Blocked by %s seccomp profile: --cap-add PERFMON with a recent runtime, or a "
		    "profile that allows perf_event_open; perf_event_paranoid will not help",
		    filtered(h) ? "the container's" : "what looks like a container's");
}

/* ENODEV */
static enum reason why_device(const struct pmu_try *t, const struct sentence *s)
{
	if (t->cpu >= 0)
		return tell(s, WHY_OFFLINE, "%s: CPU %d is offline", t->event, t->cpu);
	return tell(s, WHY_UNSUPPORTED, "%s: needs a feature that this CPU lacks", t->event);
}

/* EMFILE, with figures that help more than the word. */
static enum reason why_descriptors(const struct pmu_host *h, const struct pmu_try *t,
				   const struct sentence *s)
{
	uint64_t limit = h->fd_hard > h->fd_soft ? h->fd_hard : h->fd_soft;

	return tell(s, WHY_DENIED,
		    "%s: needs %" PRIu64 " descriptors, limit %" PRIu64
		    ": raise it (ulimit -n), or use fewer threads",
		    t->event, t->fds_needed, limit);
}

/* EINVAL */
static enum reason why_invalid(const struct pmu_try *t, const struct sentence *s)
{
	if (t->group > 1)
		return tell(s, WHY_UNSUPPORTED, "%s: the kernel refuses it in a group of %u events",
			    t->event, t->group);
	return tell(s, WHY_UNSUPPORTED, "%s: the kernel refuses it on this CPU", t->event);
}

enum reason pmu_why(const struct pmu_host *h, const struct pmu_try *t, int code, char *buf,
		    size_t size)
{
	const struct sentence s = {buf, size};

	switch (code) {
	case ENOENT:
	case EOPNOTSUPP:
		return why_absent(h, t, code, &s);
	case EACCES:
		return why_privilege(h, t, &s);
	case EPERM:
		return why_forbidden(h, t, &s);
	case ENOSYS:
		return tell(&s, filtered(h) ? WHY_DENIED : WHY_UNSUPPORTED,
			    "%s has no perf_event_open: no counters",
			    filtered(h) ? "This container" : "This kernel");
	case EINVAL:
		return why_invalid(t, &s);
	case ENODEV:
		return why_device(t, &s);
	case EMFILE:
		return why_descriptors(h, t, &s);
	case ENFILE:
		return tell(&s, WHY_DENIED, "%s: the system is out of descriptors: fs.file-max",
			    t->event);
	case ESRCH:
		return tell(&s, WHY_LOST, "%s: the thread is gone", t->event);
	case EBUSY:
		return tell(&s, WHY_NOT_SCHEDULED,
			    "%s: the PMU is in exclusive use by another program", t->event);
	case ENOSPC:
		return tell(&s, WHY_NOT_SCHEDULED, "%s: all counters of its kind are taken",
			    t->event);
	case E2BIG:
		return tell(&s, WHY_UNSUPPORTED, "%s: this kernel is too old for it", t->event);
	default:
		return tell(&s, WHY_UNSUPPORTED, "%s: perf_event_open: %s", t->event,
			    strerror(code));
	}
}

void pmu_why_not_scheduled(const struct pmu_host *h, const struct pmu_try *t, char *buf,
			   size_t size)
{
	const struct sentence s = {buf, size};

	if (h->nmi_watchdog == 1)
		tell(&s, WHY_NOT_SCHEDULED,
		     "%s never ran: kernel.nmi_watchdog=1 holds one counter: sysctl "
		     "kernel.nmi_watchdog=0",
		     t->event);
	else
		tell(&s, WHY_NOT_SCHEDULED, "%s never ran: another program%s holds the counters",
		     t->event, h->guest ? ", or one of the host," : "");
}
