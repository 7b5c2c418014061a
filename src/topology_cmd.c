/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the topology: text opens with a line about the machine, JSON has it as keys beside the
 * rows, CSV is the rows alone.
 */
#include "src/topology_cmd.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "probes/cpulist.h"
#include "probes/value.h"
#include "src/cli.h"

enum { LIST_BYTES = 128, NUMBER_BYTES = 16 };

/* Whether threads may run there, and if not, why: WHY_OK, WHY_OFFLINE or WHY_NOT_ALLOWED. */
static enum reason reason_of(const struct topology_cpu *c)
{
	if (!c->online)
		return WHY_OFFLINE;
	return c->allowed ? WHY_OK : WHY_NOT_ALLOWED;
}

/* The other hardware threads of its core. @ids: room for all CPUs. Returns how many. */
static unsigned siblings_find(const struct topology *t, const struct topology_cpu *c, int *ids)
{
	unsigned count = 0;

	for (unsigned i = 0; i < t->cpu_count && c->core >= 0; i++) {
		if (t->cpu[i].core == c->core && t->cpu[i].cpu != c->cpu)
			ids[count++] = t->cpu[i].cpu;
	}
	return count;
}

/* An index or id, @unknown for a negative one. Returns @buf. */
static char *index_format(int index, const char *unknown, char *buf)
{
	if (index < 0)
		snprintf(buf, NUMBER_BYTES, "%s", unknown);
	else
		snprintf(buf, NUMBER_BYTES, "%d", index);
	return buf;
}

static void count_print(FILE *out, unsigned count, const char *one, const char *many)
{
	if (count)
		fprintf(out, "%u %s, ", count, count == 1 ? one : many);
	else
		fprintf(out, "- %s, ", many);
}

static void summary_print(const struct topology *t, const struct machine *m, FILE *out)
{
	count_print(out, t->package_count, "package", "packages");
	count_print(out, t->core_count, "core", "cores");
	count_print(out, t->online_count, "thread", "threads");
	count_print(out, t->numa_count, "NUMA node", "NUMA nodes");
	if (t->line_bytes)
		fprintf(out, "%u-byte lines; ", t->line_bytes);
	else
		fprintf(out, "line size -; ");
	fprintf(out, "%u of %u CPUs allowed", t->allowed_count, t->cpu_count);
	if (t->cpu_count > t->online_count)
		fprintf(out, ", %u offline", t->cpu_count - t->online_count);
	fprintf(out, "; clock %s: %s\n", m->tick.name, m->tick.why);
}

static void text_print(const struct topology *t, const struct machine *m, int *ids, FILE *out)
{
	char core[NUMBER_BYTES], package[NUMBER_BYTES], numa[NUMBER_BYTES];
	char llc[NUMBER_BYTES], kind[NUMBER_BYTES], smt[LIST_BYTES];

	summary_print(t, m, out);
	fprintf(out, "%5s  %-11s  %4s  %7s  %4s  %4s  %4s  %s\n", "cpu", "state", "core", "package",
		"numa", "llc", "kind", "smt siblings");
	for (unsigned i = 0; i < t->cpu_count; i++) {
		const struct topology_cpu *c = &t->cpu[i];
		enum reason why = reason_of(c);
		unsigned siblings = siblings_find(t, c, ids);

		cpulist_format(ids, siblings, smt, sizeof(smt));
		fprintf(out, "%5d  %-11s  %4s  %7s  %4s  %4s  %4s  %s\n", c->cpu,
			why == WHY_OK ? "allowed" : reason_word(why),
			index_format(c->core, "-", core), index_format(c->package, "-", package),
			index_format(c->numa_node, "-", numa), index_format(c->llc, "-", llc),
			index_format(c->efficiency_kind, "-", kind), siblings ? smt : "-");
	}
}

static void csv_print(const struct topology *t, int *ids, FILE *out)
{
	char core[NUMBER_BYTES], package[NUMBER_BYTES], numa[NUMBER_BYTES];
	char llc[NUMBER_BYTES], kind[NUMBER_BYTES], rank[NUMBER_BYTES], smt[LIST_BYTES];

	fprintf(out, "cpu,online,allowed,allowed_why,core,package,numa_node,llc,smt_rank,"
		     "smt_siblings,efficiency_kind\n");
	for (unsigned i = 0; i < t->cpu_count; i++) {
		const struct topology_cpu *c = &t->cpu[i];
		const char *quote;

		cpulist_format(ids, siblings_find(t, c, ids), smt, sizeof(smt));
		/* Digits, '-' and ',' only: quotes are all that a cell can need. */
		quote = strchr(smt, ',') ? "\"" : "";
		fprintf(out, "%d,%d,%d,%s,%s,%s,%s,%s,%s,%s%s%s,%s\n", c->cpu, c->online,
			c->allowed, reason_word(reason_of(c)), index_format(c->core, "", core),
			index_format(c->package, "", package), index_format(c->numa_node, "", numa),
			index_format(c->llc, "", llc),
			index_format(c->core < 0 ? -1 : c->smt_rank, "", rank), quote, smt, quote,
			index_format(c->efficiency_kind, "", kind));
	}
}

static json_t *index_json(int index)
{
	return index < 0 ? json_null() : json_integer(index);
}

static json_t *count_json(unsigned count)
{
	return count ? json_integer(count) : json_null();
}

static json_t *text_json(const char *text)
{
	return *text ? json_string(text) : json_null();
}

/* Hands @o on if all of its keys were set, else NULL: an object is complete or absent. */
static json_t *checked(json_t *o, int failures)
{
	if (!failures)
		return o;
	json_decref(o);
	return NULL;
}

static json_t *cpu_json(const struct topology *t, const struct topology_cpu *c, int *ids)
{
	json_t *o = json_object(), *siblings = json_array();
	unsigned count = siblings_find(t, c, ids);
	int bad = 0;

	for (unsigned i = 0; i < count; i++)
		bad |= json_array_append_new(siblings, json_integer(ids[i]));
	bad |= json_object_set_new(o, "cpu", json_integer(c->cpu));
	bad |= json_object_set_new(o, "online", json_boolean(c->online));
	bad |= json_object_set_new(o, "allowed", json_boolean(c->allowed));
	bad |= json_object_set_new(o, "allowed_why", text_json(reason_word(reason_of(c))));
	bad |= json_object_set_new(o, "core", index_json(c->core));
	bad |= json_object_set_new(o, "package", index_json(c->package));
	bad |= json_object_set_new(o, "numa_node", index_json(c->numa_node));
	bad |= json_object_set_new(o, "llc", index_json(c->llc));
	bad |= json_object_set_new(o, "smt_rank", index_json(c->core < 0 ? -1 : c->smt_rank));
	bad |= json_object_set_new(o, "smt_siblings", siblings);
	bad |= json_object_set_new(o, "efficiency_kind", index_json(c->efficiency_kind));
	return checked(o, bad);
}

static json_t *machine_json(const struct topology *t, const struct machine *m)
{
	json_t *o = json_object();
	int bad = 0;

	bad |= json_object_set_new(o, "host", text_json(m->host));
	bad |= json_object_set_new(o, "cpu_model", text_json(m->cpu_model));
	bad |= json_object_set_new(o, "kernel", text_json(m->kernel));
	bad |= json_object_set_new(o, "virt", text_json(m->virt));
	bad |= json_object_set_new(o, "governor", text_json(m->governor));
	bad |= json_object_set_new(o, "packages", count_json(t->package_count));
	bad |= json_object_set_new(o, "cores", count_json(t->core_count));
	bad |= json_object_set_new(o, "cpus", json_integer(t->cpu_count));
	bad |= json_object_set_new(o, "online", json_integer(t->online_count));
	bad |= json_object_set_new(o, "allowed", json_integer(t->allowed_count));
	bad |= json_object_set_new(o, "numa_nodes", count_json(t->numa_count));
	bad |= json_object_set_new(o, "smt", json_integer(t->smt_per_core));
	bad |= json_object_set_new(o, "line_bytes", count_json(t->line_bytes));
	bad |= json_object_set_new(o, "clock", text_json(m->tick.name));
	bad |= json_object_set_new(o, "clock_why", text_json(m->tick.why));
	return checked(o, bad);
}

static int json_print(const struct topology *t, const struct machine *m, int *ids, FILE *out)
{
	json_t *root = machine_json(t, m), *cpus = json_array();
	int bad = 0, rc = 0;

	for (unsigned i = 0; i < t->cpu_count; i++)
		bad |= json_array_append_new(cpus, cpu_json(t, &t->cpu[i], ids));
	bad |= json_object_set_new(root, "cpu", cpus);
	if (bad)
		rc = -ENOMEM;
	else if (json_dumpf(root, out, JSON_INDENT(2)) != 0 || fputc('\n', out) == EOF)
		rc = -EIO;
	json_decref(root);
	return rc;
}

int topology_cmd(const struct topology *t, const struct machine *m, int format, FILE *out)
{
	int *ids = malloc((t->cpu_count + 1) * sizeof(*ids));
	int rc = 0;

	if (!ids)
		return -ENOMEM;
	switch ((enum cli_format)format) {
	case FORMAT_TEXT:
		text_print(t, m, ids, out);
		break;
	case FORMAT_CSV:
		csv_print(t, ids, out);
		break;
	case FORMAT_JSON:
		rc = json_print(t, m, ids, out);
		break;
	}
	free(ids);
	if (!rc && (fflush(out) != 0 || ferror(out)))
		rc = -EIO;
	return rc;
}
