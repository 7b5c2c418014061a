/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks up workloads, variants and knobs in the const tables.
 */
#include "src/lab/workload.h"

#include <stdlib.h>
#include <string.h>

const struct workload_ops *workload_find(const char *name)
{
	for (const struct workload_ops *const *w = workload_table; *w; w++)
		if (strcmp((*w)->name, name) == 0)
			return *w;
	return NULL;
}

const struct variant_ops *workload_variant(const struct workload_ops *w, const char *name)
{
	for (const struct variant_ops *const *v = w->variants; *v; v++)
		if (strcmp((*v)->name, name) == 0)
			return *v;
	return NULL;
}

const char *lab_knob_text(const struct lab *lab, const char *name)
{
	const struct page_ctl *ctl = &lab->page->ctl;

	for (uint32_t i = 0; i < ctl->knob_count && i < PAGE_KNOBS; i++)
		if (strncmp(ctl->knob[i].name, name, sizeof(ctl->knob[i].name)) == 0)
			return ctl->knob[i].value;
	for (unsigned i = 0; i < lab->workload->knob_count; i++)
		if (strcmp(lab->workload->knobs[i].name, name) == 0)
			return lab->workload->knobs[i].def;
	return NULL;
}

int64_t lab_knob_int(const struct lab *lab, const char *name)
{
	const char *text = lab_knob_text(lab, name);

	return text ? strtoll(text, NULL, 10) : 0;
}
