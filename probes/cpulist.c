/* SPDX-License-Identifier: MIT */
/*
 * Parses and writes CPU lists. Strict: no spaces, no empty parts, no range that runs backwards.
 */
#include "probes/cpulist.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Digits at @p as an id; stops counting above the largest. Returns the first byte behind them. */
static const char *id_parse(const char *p, int *id)
{
	for (*id = 0; *p >= '0' && *p <= '9'; p++) {
		if (*id <= CPULIST_ID_MAX)
			*id = *id * 10 + (*p - '0');
	}
	return p;
}

/* One part of the list, @length bytes at @word: "3" or "2-5". */
static int range_parse(const char *word, size_t length, int *first, int *last, struct err *e)
{
	int shown = length < 32 ? (int)length : 32;
	const char *p = id_parse(word, first);
	bool good = p > word;

	*last = *first;
	if (good && *p == '-') {
		const char *second = p + 1;

		p = id_parse(second, last);
		good = p > second;
	}
	if (!good || p != word + length)
		return err_set(e, -EINVAL,
			       "CPU list: \"%.*s\" is no CPU id or range (write it like 0,2-5)",
			       shown, word);
	if (*first > CPULIST_ID_MAX || *last > CPULIST_ID_MAX)
		return err_set(e, -ERANGE, "CPU list: \"%.*s\" is above the largest id, %d", shown,
			       word, CPULIST_ID_MAX);
	if (*last < *first)
		return err_set(e, -EINVAL, "CPU list: \"%.*s\" runs backwards (write %d-%d)", shown,
			       word, *last, *first);
	return 0;
}

int cpulist_parse(const char *text, int *out, unsigned out_max, struct err *e)
{
	uint64_t seen[(CPULIST_ID_MAX + 1) / 64] = {0};
	const char *word = text;
	unsigned count = 0;

	for (;;) {
		size_t length = strcspn(word, ",+");
		int first, last;
		int rc = range_parse(word, length, &first, &last, e);

		if (rc)
			return rc;
		for (int id = first; id <= last; id++) {
			uint64_t bit = 1ull << (id % 64);

			if (seen[id / 64] & bit)
				return err_set(e, -EINVAL, "CPU list: CPU %d is listed twice", id);
			if (count == out_max)
				return err_set(e, -ERANGE, "CPU list: more than %u CPUs", out_max);
			seen[id / 64] |= bit;
			out[count++] = id;
		}
		if (!word[length])
			return (int)count;
		word += length + 1;
	}
}

/* How many of the ids at @cpu count up by one. */
static unsigned run_length(const int *cpu, unsigned count)
{
	unsigned n = 1;

	while (n < count && cpu[n] - 1 == cpu[n - 1])
		n++;
	return n;
}

char *cpulist_format(const int *cpu, unsigned count, char *buf, unsigned size)
{
	size_t used = 0, cut = 0; /* cut: the last end of a part with room for dots behind it */
	unsigned run;

	assert(size >= 4);
	buf[0] = '\0';
	for (unsigned i = 0; i < count; i += run) {
		const char *comma = used ? "," : "";
		char part[32];
		size_t length;

		run = cpu[i] < 0 ? 1 : run_length(cpu + i, count - i);
		if (cpu[i] < 0)
			continue;
		if (run > 1)
			snprintf(part, sizeof(part), "%s%d-%d", comma, cpu[i], cpu[i + run - 1]);
		else
			snprintf(part, sizeof(part), "%s%d", comma, cpu[i]);
		length = strlen(part);
		if (used + length >= size) {
			memcpy(buf + cut, "...", 4);
			return buf;
		}
		memcpy(buf + used, part, length + 1);
		used += length;
		if (used + 4 <= size)
			cut = used;
	}
	return buf;
}
