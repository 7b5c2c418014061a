/* SPDX-License-Identifier: MIT */
/*
 * The one table of reasons for a missing number.
 */
#include "probes/value.h"

static const struct {
	char letter;
	const char *word;
	const char *sentence;
} reasons[WHY_COUNT] = {
	[WHY_OK] = {'\0', "", ""},
	[WHY_SCALED] = {'~', "scaled", "multiplexed: scaled by time enabled / time running"},
	[WHY_NOT_YET] = {'y', "not-yet", "no finished interval yet"},
	[WHY_UNSUPPORTED] = {'u', "unsupported", "this CPU, variant or kernel cannot tell"},
	[WHY_DENIED] = {'p', "denied", "permission, container or lockdown forbids it"},
	[WHY_NOT_SCHEDULED] = {'m', "not-scheduled", "the counter never got a hardware slot"},
	[WHY_IMPLAUSIBLE] = {'v', "implausible", "the counter failed the start-up self-test"},
	[WHY_OFFLINE] = {'o', "offline", "the CPU is offline"},
	[WHY_NOT_ALLOWED] = {'c', "not-allowed", "the CPU is outside the cpuset or mask"},
	[WHY_LOST] = {'l', "lost", "the source ended or was overwritten"},
	[WHY_UNPINNED] = {'f', "unpinned", "threads float: no per-CPU truth"},
	[WHY_UNRESOLVED] = {'r', "unresolved", "smaller than the clock can tell"},
};

struct value value_ratio(struct value num, struct value den)
{
	if (!value_known(num))
		return num;
	if (!value_known(den))
		return den;
	if (den.v == 0)
		return value_missing(WHY_NOT_YET);
	return (struct value){
		.v = num.v / den.v,
		.why = num.why == WHY_SCALED || den.why == WHY_SCALED ? WHY_SCALED : WHY_OK,
	};
}

char reason_letter(enum reason why)
{
	return reasons[why].letter;
}

const char *reason_word(enum reason why)
{
	return reasons[why].word;
}

const char *reason_sentence(enum reason why)
{
	return reasons[why].sentence;
}
