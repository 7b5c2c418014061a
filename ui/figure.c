/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short figures with a fixed number of cells, for headers and tables.
 */
#include "ui/figure.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "src/text.h"

/*
 * @v with @decimals (0 or 1) behind the dot, put together from integers: no locale changes the dot.
 */
static void fixed_print(double v, unsigned decimals, const char *suffix, char buf[FIGURE_SIZE])
{
	unsigned long n = v > 0 ? (unsigned long)lround(decimals ? v * 10 : v) : 0;

	if (decimals)
		snprintf(buf, FIGURE_SIZE, "%lu.%lu%s", n / 10, n % 10, suffix);
	else
		snprintf(buf, FIGURE_SIZE, "%lu%s", n, suffix);
}

char *figure_percent(struct value v, char buf[FIGURE_SIZE])
{
	double pct = v.v * 100;

	if (!value_known(v))
		return text_value(v, buf, FIGURE_SIZE);
	fixed_print(pct, pct < 9.95 ? 1 : 0, v.why == WHY_SCALED ? "%~" : "%", buf);
	return buf;
}

char *figure_count(struct value v, char buf[FIGURE_SIZE])
{
	if (v.why != WHY_OK || v.v >= 1000 || v.v != floor(v.v))
		return text_value(v, buf, FIGURE_SIZE);
	fixed_print(v.v, 0, "", buf);
	return buf;
}

char *figure_clock(double seconds, char buf[FIGURE_SIZE])
{
	uint64_t s = seconds > 0 ? (uint64_t)seconds : 0;
	unsigned hours = (unsigned)(s / 3600 % 1000000);
	unsigned minutes = (unsigned)(s / 60 % 60);

	if (hours >= 100)
		snprintf(buf, FIGURE_SIZE, "%ud %02u:%02u", hours / 24, hours % 24, minutes);
	else
		snprintf(buf, FIGURE_SIZE, "%02u:%02u:%02u", hours, minutes, (unsigned)(s % 60));
	return buf;
}

char *figure_seconds(double seconds, char buf[FIGURE_SIZE])
{
	fixed_print(seconds, seconds < 9.95 && seconds != floor(seconds) ? 1 : 0, " s", buf);
	return buf;
}
