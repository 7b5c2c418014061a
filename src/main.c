/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hotline: reads the command line, looks at the machine, hands over to the command.
 *
 * Errors are printed here, as one line each. Exit status: 0 done, 1 a measurement failed, 2 bad
 * usage, 128 + n ended by signal n.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/pmu_check.h"
#include "src/app.h"
#include "src/child.h"
#include "src/cli.h"
#include "src/counters_cmd.h"
#include "src/events.h"
#include "src/list.h"
#include "src/run.h"
#include "src/settings.h"
#include "src/text.h"
#include "src/topology_cmd.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, WATCHDOG_MS = 2000 };

/* What the commands need, made in this order and released in the other. */
struct ground {
	char lab_path[4096];
	struct catalog catalog;
	struct topology topology;
	struct machine machine;
	cpu_set_t *mask; /* the affinity at the start */
	size_t mask_bytes;
	struct spec_list list;
	struct pmu_list events; /* empty until events_read() */
	struct fields fields;
	struct settings saved; /* of the dashboard; else the defaults */
};

static int complain(const struct err *e, int status)
{
	fprintf(stderr, "hotline: %s\n", e->text);
	return status;
}

/*
 * A descriptor 0, 1 or 2 that is closed would be given to the page or a pipe. Read-only: what is
 * printed then fails, and is not lost unseen.
 */
static void descriptors_fill(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
			return;
	}
}

/* The set grows until the kernel's fits. Source: sched_getaffinity(2), CPU_ALLOC(3). */
static int mask_read(struct ground *g, struct err *e)
{
	for (size_t cpus = 1024; cpus <= 65536; cpus *= 2) {
		g->mask = CPU_ALLOC(cpus);
		g->mask_bytes = CPU_ALLOC_SIZE(cpus);
		if (!g->mask)
			return err_set(e, -ENOMEM, "no memory for the affinity mask");
		if (sched_getaffinity(0, g->mask_bytes, g->mask) == 0)
			return 0;
		CPU_FREE(g->mask);
		g->mask = NULL;
	}
	return err_set(e, -errno, "sched_getaffinity: %s", strerror(errno));
}

static int catalog_read(struct ground *g, struct err *e)
{
	char *text = NULL;
	int rc = child_lab_path(g->lab_path, sizeof(g->lab_path), e);

	if (!rc)
		rc = child_describe(g->lab_path, &text, e);
	if (!rc)
		rc = catalog_parse(&g->catalog, text, e);
	free(text);
	return rc;
}

static int machine_look(struct ground *g, struct err *e)
{
	int rc = mask_read(g, e);

	if (!rc)
		rc = topology_init(&g->topology, NULL, e);
	if (!rc)
		machine_read(&g->machine, &g->topology);
	return rc;
}

static void ground_fini(struct ground *g)
{
	fields_fini(&g->fields);
	pmu_list_fini(&g->events);
	spec_free(&g->list);
	topology_fini(&g->topology);
	CPU_FREE(g->mask);
	catalog_free(&g->catalog);
}

/* The first word of a dashboard's command line is a workload, or a command that does not exist. */
static int first_word_check(const struct ground *g, const char *word, struct err *e)
{
	char name[64], names[512], accepted[600];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, ":@"), word);
	if (catalog_find(&g->catalog, name))
		return 0;
	snprintf(accepted, sizeof(accepted), "%s, %s", cli_command_names(),
		 catalog_workload_names(&g->catalog, names, sizeof(names)));
	return text_unknown("command or workload", name, accepted, e);
}

static int specs_parse(struct ground *g, const struct cli_options *o, struct err *e)
{
	unsigned allowed = g->topology.allowed_count;
	char names[512];
	int rc = 0;

	if (o->command == CLI_DASHBOARD && o->arg_count)
		rc = first_word_check(g, o->arg[0], e);
	if (!o->arg_count && o->command == CLI_RUN)
		return err_set(e, -EINVAL, "run needs a SPEC, such as spinlock:all (workloads: %s)",
			       catalog_workload_names(&g->catalog, names, sizeof(names)));
	if (!rc && !o->arg_count)
		rc = spec_parse(&g->list, "spinlock", &o->common, &g->catalog, allowed, e);
	for (unsigned i = 0; !rc && i < o->arg_count; i++)
		rc = spec_parse(&g->list, o->arg[i], &o->common, &g->catalog, allowed, e);
	for (unsigned i = 0; !rc && i < g->list.count; i++)
		rc = spec_place_check(&g->list.config[i], &g->topology, e);
	return rc;
}

/* Saved events that are none here give way to the default; those of the command line fail. */
static int events_find(struct ground *g, struct cli_options *o, struct err *e)
{
	int rc;

	pmu_list_init(&g->events, &pmu_sys_linux);
	rc = events_parse(&g->events, o->events ? o->events : EVENTS_DEFAULT, e);
	if (rc != -EINVAL || o->events != g->saved.events)
		return rc;
	settings_warn(&g->saved, g->saved.events_line, "events: %s", e->text);
	*e = (struct err){0};
	o->events = NULL;
	pmu_list_fini(&g->events);
	pmu_list_init(&g->events, &pmu_sys_linux);
	return events_parse(&g->events, EVENTS_DEFAULT, e);
}

/* What is counted in every trial, tried once, and the columns that come of it. */
static int events_read(struct ground *g, struct cli_options *o, struct trial_env *env,
		       struct err *e)
{
	int rc = events_find(g, o, e);

	if (rc)
		return rc;
	pmu_check(&g->events, NULL);
	env->events = g->events.count ? &g->events : NULL;
	if (fields_init(&g->fields, env->events))
		return err_set(e, -ENOMEM, "no memory for the columns");
	env->fields = &g->fields;
	return 0;
}

static bool utf8_wanted(const struct cli_options *o)
{
	return !o->ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Looks and habits are the dashboard's alone: what `run` measures depends on no file. */
static void settings_take(struct ground *g, struct cli_options *o, bool tty)
{
	struct err e = {0};

	g->saved = settings_default();
	if (o->command != CLI_DASHBOARD || (!tty && !o->screen_cols))
		return;
	settings_path(&g->saved, getenv("XDG_CONFIG_HOME"), getenv("HOME"), &e);
	settings_read(&g->saved);
	settings_apply(&g->saved, o);
}

static int dashboard(const struct cli_options *o, const struct settings *saved,
		     struct trial_env *env, const struct spec_list *list, struct err *e)
{
	if (list->count > 1) {
		err_set(e, -EINVAL,
			"the dashboard shows one configuration at a time (hotline run "
			"compares several)");
		return EXIT_USAGE;
	}
	if (o->rounds_on_stdout) {
		err_set(e, -EINVAL,
			"--output -: the dashboard needs stdout for itself (hotline run -o -)");
		return EXIT_USAGE;
	}
	if (!o->screen_cols)
		return app_run(o, saved, env, list->config, e);
	for (unsigned i = 0; i < saved->warning_count && i < SETTINGS_WARNINGS; i++)
		fprintf(stderr, "hotline: %s\n", saved->warning[i]);
	return app_screen(o, env, list->config, e);
}

/* The commands that start trials. */
static int measure(struct cli_options *o, struct ground *g)
{
	bool tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	struct trial_env env = {
		.machine = &g->machine,
		.topology = &g->topology,
		.catalog = &g->catalog,
		.lab_path = g->lab_path,
		.watchdog_ms = WATCHDOG_MS,
		.mask = g->mask,
		.mask_bytes = g->mask_bytes,
	};
	struct err e = {0};
	int status;

	if (specs_parse(g, o, &e) || events_read(g, o, &env, &e))
		return complain(&e, e.code == -ENOMEM ? EXIT_FAILED : EXIT_USAGE);
	if (o->command == CLI_DASHBOARD && !o->screen_cols && !tty) {
		fprintf(stderr,
			"hotline: no terminal on stdin and stdout: doing what `hotline run` does "
			"with these arguments\n");
		o->command = CLI_RUN;
	}
	if (o->command == CLI_RUN)
		status = run_cmd(o, &env, &g->list, !utf8_wanted(o), &e);
	else
		status = dashboard(o, &g->saved, &env, &g->list, &e);
	return e.code ? complain(&e, status) : status;
}

static int counters(const struct cli_options *o)
{
	struct err e = {0};
	int rc = counters_cmd(&pmu_sys_linux, o->arg, o->arg_count, o->format, stdout, &e);

	return rc ? complain(&e, rc == -ENOMEM ? EXIT_FAILED : EXIT_USAGE) : 0;
}

static int command_run(struct cli_options *o, struct ground *g)
{
	struct err e = {0};
	int rc;

	if (o->command == CLI_COUNTERS)
		return counters(o);
	if (o->command != CLI_TOPOLOGY && catalog_read(g, &e))
		return complain(&e, EXIT_FAILED);
	if (o->command == CLI_LIST) {
		rc = list_cmd(&g->catalog, o->arg_count ? o->arg[0] : NULL, o->format, stdout, &e);
		return rc ? complain(&e, rc == -EINVAL ? EXIT_USAGE : EXIT_FAILED) : 0;
	}
	if (machine_look(g, &e))
		return complain(&e, EXIT_FAILED);
	if (o->command == CLI_TOPOLOGY) {
		rc = topology_cmd(&g->topology, &g->machine, (int)o->format, stdout);
		if (rc == -ENOMEM)
			err_set(&e, rc, "no memory for the table");
		return e.code ? complain(&e, EXIT_FAILED) : 0; /* -EIO: main looks at stdout */
	}
	return measure(o, g);
}

/* What was printed has arrived, or the status says that it has not. */
static int stdout_check(int status)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "hotline: writing to stdout: %s\n", strerror(errno ? errno : EIO));
	return status ? status : EXIT_FAILED;
}

int main(int argc, char **argv)
{
	struct ground g = {.mask = NULL};
	struct cli_options o;
	struct err e = {0};
	int status;

	/* Only the kind of characters: numbers keep their dot. */
	setlocale(LC_CTYPE, "");
	descriptors_fill();
	if (cli_parse(&o, argc, argv, &e))
		return complain(&e, EXIT_USAGE);
	if (o.command == CLI_HELP) {
		if (cli_help(stdout, o.arg_count ? o.arg[0] : NULL, &e))
			return complain(&e, EXIT_USAGE);
		return stdout_check(0);
	}
	if (o.command == CLI_VERSION) {
		printf("hotline %s\n", HOTLINE_VERSION);
		return stdout_check(0);
	}
	settings_take(&g, &o, isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
	cli_color_settle(&o, getenv("NO_COLOR"), isatty(STDOUT_FILENO));
	status = command_run(&o, &g);
	ground_fini(&g);
	return stdout_check(status);
}
