/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counter columns of the CPU table, from the field table.
 */
#ifndef HOTLINE_UI_COUNTERS_H
#define HOTLINE_UI_COUNTERS_H

#include "src/flow/model.h"

enum { COUNTERS_MAX = 48 };

/*
 * The fields that show a counter, in their order, at most @max. Returns how many; none if nothing
 * is counted. Pure.
 */
unsigned counters_fields(const struct model *m, const struct field **out, unsigned max);

/*
 * How many of @n fields from @first fit into @cells cells, one blank before each.
 * @used: the cells they take.
 */
unsigned counters_fit(const struct field *const *field, unsigned n, unsigned first, int cells,
		      int *used);

/*
 * Why a figure is missing or scaled: its event's own sentence, or what holds the counters now; ""
 * of a plain number. m->events must be set. Returns @buf.
 */
char *counters_reason(const struct model *m, const struct field *f, enum reason why, char *buf,
		   size_t size);

/*
 * The first counter that is missing or scaled, as a sentence that says why and what to do:
 * "LLC-miss/op n/a:u - ...". Returns false if there is none.
 */
bool counters_sentence(const struct model *m, char *buf, size_t size);

#endif
