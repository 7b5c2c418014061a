/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hotline-lab: runs one trial into the page on descriptor 3, or describes itself.
 *
 * Started by hotline, by exec; dies with it. Talks through the page only: an error goes to
 * lab.error.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "src/lab/crew.h"
#include "src/lab/describe.h"

/* Untrusted input too: the page may come from another build that happens to fit. */
static int trial_check(struct lab *lab, struct err *e)
{
	struct page_ctl *ctl = &lab->page->ctl;

	ctl->workload[sizeof(ctl->workload) - 1] = '\0';
	ctl->variant[sizeof(ctl->variant) - 1] = '\0';
	lab->workload = workload_find(ctl->workload);
	if (!lab->workload)
		return err_set(e, -EINVAL, "unknown workload '%s'", ctl->workload);
	lab->variant = workload_variant(lab->workload, ctl->variant);
	if (!lab->variant)
		return err_set(e, -EINVAL, "workload %s has no variant '%s'", ctl->workload,
			       ctl->variant);
	if (lab->variant->unsupported)
		return err_set(e, -ENOTSUP, "variant %s: %s", ctl->variant,
			       lab->variant->unsupported);
	if (ctl->threads < lab->workload->threads_min ||
	    ctl->threads > lab->workload->threads_max || ctl->threads > PAGE_SLOTS)
		return err_set(e, -EINVAL, "%u threads: workload %s takes %u to %u", ctl->threads,
			       ctl->workload, lab->workload->threads_min,
			       lab->workload->threads_max);
	return 0;
}

static void lab_describe(struct lab *lab)
{
	struct page_lab *l = &lab->page->lab;

	l->pid = getpid();
	l->role_count = lab->workload->role_count;
	memcpy(l->role, lab->workload->roles, l->role_count * sizeof(l->role[0]));
}

static int lab_run(void)
{
	static struct lab lab;
	struct err e = {0};

	if (page_attach(PAGE_FD, &lab.page, &e) != 0) {
		fprintf(stderr, "hotline-lab: %s\n", e.text);
		return 2;
	}
	if (trial_check(&lab, &e) == 0) {
		lab_describe(&lab);
		if (crew_run(&lab, &e) == 0)
			return 0;
	}
	snprintf(lab.page->lab.error, sizeof(lab.page->lab.error), "%s", e.text);
	__atomic_store_n(&lab.page->lab.state, PAGE_LAB_FAILED, __ATOMIC_RELEASE);
	return 1;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--describe") == 0)
		return describe_print(stdout) == 0 ? 0 : 1;
	if (argc != 1) {
		fprintf(stderr,
			"hotline-lab: started by hotline, not by hand (try hotline --help)\n");
		return 2;
	}
	return lab_run();
}
