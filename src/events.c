/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words to events. libpfm4 knows a thousand names for a CPU, so a wrong word is answered with the
 * nearest of them, not with all.
 */
#include "src/events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"

enum {
	WORD_BYTES = 160, /* of struct pmu_event.full: no longer name exists */
	NAMES_BYTES = 128,
	NEAR_BYTES = 64, /* text_nearest() knows none that is longer */
};

/* The presets' names, joined by ", ". */
static char *preset_names(char *buf, size_t size)
{
	unsigned count;
	const struct pmu_preset *p = pmu_presets(&count);
	size_t have = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < count && have < size; i++)
		have += (size_t)snprintf(buf + have, size - have, "%s%s", i ? ", " : "", p[i].name);
	return buf;
}

/* A search over names: the nearest one so far. */
struct nearest {
	const char *word;
	char best[NEAR_BYTES]; /* "" = none is near */
};

/* The first of two that are equally near stays. */
static bool nearest_try(void *arg, const char *name)
{
	struct nearest *n = arg;
	char pair[2 * NEAR_BYTES + 2], found[NEAR_BYTES];

	if (strlen(name) >= NEAR_BYTES)
		return true;
	snprintf(pair, sizeof(pair), "%s%s%s", n->best, n->best[0] ? ", " : "", name);
	if (text_nearest(n->word, pair, found, sizeof(found)))
		memcpy(n->best, found, sizeof(n->best));
	return true;
}

static int word_refuse(const char *word, struct err *e)
{
	char presets[NAMES_BYTES], safe[48], bare[WORD_BYTES];
	const char *event = strstr(word, "::");
	struct nearest n = {.word = word};
	unsigned count;
	const struct pmu_preset *p = pmu_presets(&count);

	text_clean(safe, sizeof(safe), word);
	for (unsigned i = 0; i < count; i++)
		nearest_try(&n, p[i].name);
	/* Of an event only its own name is compared: no PMU in front, no unit masks behind. */
	event = event ? event + 2 : word;
	snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(event, ":"), event);
	n.word = bare;
	pmu_sys_names("", nearest_try, &n);
	pmu_sys_names("perf", nearest_try, &n);
	return err_set(e, -EINVAL,
		       "unknown event '%s' (%s%s%saccepted: %s, none, or a libpfm4 event)", safe,
		       n.best[0] ? "nearest: " : "", n.best, n.best[0] ? "; " : "",
		       preset_names(presets, sizeof(presets)));
}

static int word_add(struct pmu_list *l, const char *word, struct err *e)
{
	const struct pmu_preset *p = pmu_preset_find(word);
	struct err inner = {0};
	char safe[sizeof(inner.text)];
	int rc;

	if (strcmp(word, "none") == 0)
		return err_set(e, -EINVAL, "event 'none': only -e takes it, and alone");
	rc = p ? pmu_list_add_preset(l, p, &inner) : pmu_list_add_event(l, word, &inner);
	if (rc == -ENOENT)
		return word_refuse(word, e);
	if (rc == -ENOSPC)
		return err_set(e, rc, "too many events: '%s' does not fit (at most %d)",
			       text_clean(safe, 48, word), PMU_EVENTS);
	/* The text holds the word as it was typed. */
	return rc ? err_set(e, rc, "%s", text_clean(safe, sizeof(safe), inner.text)) : 0;
}

int events_add(struct pmu_list *l, const char *text, struct err *e)
{
	const char *rest = text;
	char word[WORD_BYTES];
	int rc = 0;

	while (!rc && rest) {
		size_t n = strcspn(rest, ",");
		char safe[48];

		if (!n)
			return err_set(e, -EINVAL,
				       "events '%s': an empty word (accepted: WORD[,WORD...])",
				       text_clean(safe, sizeof(safe), text));
		if (n >= sizeof(word))
			return err_set(e, -EINVAL, "unknown event '%s...': too long",
				       text_clean(safe, sizeof(safe), rest));
		snprintf(word, sizeof(word), "%.*s", (int)n, rest);
		rc = word_add(l, word, e);
		rest = rest[n] ? rest + n + 1 : NULL;
	}
	return rc;
}

int events_parse(struct pmu_list *l, const char *text, struct err *e)
{
	int rc;

	if (strcmp(text, "none") == 0)
		return 0;
	rc = events_add(l, text, e);
	if (rc)
		return rc;
	rc = pmu_list_finish(l, e);
	if (rc == -ENOSPC)
		return err_set(e, rc, "too many events (at most %d with the software ones)",
			       PMU_EVENTS);
	return rc;
}

const char *events_sentence(const struct pmu_event *ev)
{
	size_t n = strlen(ev->id);

	if (n > 2 && strcmp(ev->id + n - 2, ":u") == 0 && strncmp(ev->note, ev->id, n) != 0)
		n -= 2; /* it was called so before the kernel's part was left out */
	if (strncmp(ev->note, ev->id, n) != 0)
		return ev->note;
	if (strncmp(ev->note + n, ": ", 2) == 0)
		return ev->note + n + 2;
	return ev->note[n] == ' ' ? ev->note + n + 1 : ev->note;
}
