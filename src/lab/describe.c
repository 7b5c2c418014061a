/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints what the lab can run, for the dashboard's catalogue.
 */
#include "src/lab/describe.h"

#include <errno.h>

#include "src/lab/workload.h"

static const char *or_dash(const char *s)
{
	return s && *s ? s : "-";
}

static void knob_print(FILE *f, const struct lab_knob *k)
{
	static const char *const kinds[] = {
		[LAB_KNOB_INT] = "int",
		[LAB_KNOB_CHOICE] = "choice",
		[LAB_KNOB_TEXT] = "text",
	};

	fprintf(f, "knob\t%s\t%s\t%s\t%s\t%s\t%lld\t%lld\t%s\t%s\t%s\n", k->name, kinds[k->kind],
		or_dash(k->unit), or_dash(k->def), or_dash(k->def_dashboard), (long long)k->min,
		(long long)k->max, or_dash(k->choices), or_dash(k->only), or_dash(k->doc));
}

int describe_print(FILE *f)
{
	fprintf(f, "hotline-lab 1\n");
	for (const struct workload_ops *const *p = workload_table; *p; p++) {
		const struct workload_ops *w = *p;

		fprintf(f, "workload\t%s\t%s\t%s\t%u\t%u\t%u\t%d\n", w->name, w->doc, w->op_doc,
			w->threads_min, w->threads_default, w->threads_max, w->place_free);
		for (unsigned i = 0; i < w->role_count; i++)
			fprintf(f, "role\t%s\t%u\n", w->roles[i].name, w->roles[i].acquires_per_op);
		for (unsigned i = 0; i < w->knob_count; i++)
			knob_print(f, &w->knobs[i]);
		for (const struct variant_ops *const *v = w->variants; *v; v++)
			fprintf(f, "variant\t%s\t%d\t%d\t%s\t%s\n", (*v)->name, (*v)->excludes,
				!(*v)->unsupported, or_dash((*v)->unsupported), (*v)->doc);
	}
	return fflush(f) == 0 && !ferror(f) ? 0 : -EIO;
}
