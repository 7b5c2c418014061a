/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the model keeps over trials: history, marks, results of variants, messages.
 */
#include "src/flow/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fixture.h"
#include "tests/made_trial.h"

struct scene {
	struct model fixture; /* lends its catalogue */
	struct made_trial made;
	struct interval interval;
	struct round round;
	struct model model;
	struct config config;
};

static const int cpus[] = {2, 0, 1, 3};

static int scene_setup(void **state)
{
	static struct scene s;

	*state = &s;
	memset(&s, 0, sizeof(s));
	fixture_model(&s.fixture, 2);
	made_trial_init(&s.made, 2);
	s.made.snap.thread[0].cpu = 2;
	s.made.snap.thread[1].cpu = 0;
	s.config = s.made.config;
	return interval_init(&s.interval, 2, 0) || round_make(&s.round, &s.made.in) ||
	       model_init(&s.model, &s.made.machine, &s.made.topology, s.fixture.catalog);
}

static int scene_teardown(void **state)
{
	struct scene *s = *state;

	model_fini(&s->model);
	round_free(&s->round);
	interval_fini(&s->interval);
	made_trial_fini(&s->made);
	fixture_free(&s->fixture);
	return 0;
}

/* The next trial, with the scene's configuration. */
static void trial(struct scene *s)
{
	assert_int_equal(model_trial(&s->model, &s->config, &s->made.plan, s->model.trial + 1,
				     cpus),
			 0);
}

/* A tick whose threads did @rate and 2 @rate op/s. */
static void tick(struct scene *s, double rate, bool add_sample)
{
	const struct model_input in = {.snap = &s->made.snap,
				       .interval = &s->interval,
				       .round = &s->round,
				       .state = MODEL_RUNNING,
				       .now_s = 7,
				       .add_sample = add_sample};

	s->interval.thread[0] = (struct interval_thread){.cpu = 2, .ops_per_s = value_of(rate)};
	s->interval.thread[1] = (struct interval_thread){.cpu = 0, .ops_per_s = value_of(2 * rate)};
	s->interval.ops_per_s = value_of(3 * rate);
	model_update(&s->model, &in);
}

static void samples_past_the_end_expect_the_newest_kept(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;
	const unsigned count = 2 * MODEL_HISTORY + 17;

	trial(s);
	for (unsigned i = 0; i < count; i++)
		tick(s, i, true);
	assert_int_equal(m->sample_count, count);
	for (unsigned i = count - MODEL_HISTORY; i < count; i++)
		assert_true(m->history[i % MODEL_HISTORY] == (float)(3 * i));
	for (unsigned i = count - MODEL_CPU_HISTORY; i < count; i++) {
		assert_true(m->cpu[0].history[i % MODEL_CPU_HISTORY] == (float)i);
		assert_true(m->cpu[1].history[i % MODEL_CPU_HISTORY] == (float)(2 * i));
	}
	assert_true(m->history_interval_s == (float)s->made.plan.interval_s);
}

static void redraw_only_expect_no_sample(void **state)
{
	struct scene *s = *state;

	trial(s);
	tick(s, 5, false);
	assert_int_equal(s->model.sample_count, 0);
	assert_number(s->model.ops_per_s, 15);
}

static void trials_expect_gap_between_and_histories_of_cpus_that_stay(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;
	static const int others[] = {1, 2};

	trial(s);
	tick(s, 10, true);
	/* CPU 2 stays and moves to the second row, CPU 0 goes, CPU 1 comes. */
	assert_int_equal(model_trial(&s->model, &s->config, &s->made.plan, 2, others), 0);
	assert_int_equal(m->sample_count, 2);
	assert_true(m->history[0] == 30 && isnan(m->history[1]));
	assert_int_equal(m->cpu[1].cpu, 2);
	assert_true(m->cpu[1].history[0] == 10 && isnan(m->cpu[1].history[1]));
	assert_true(isnan(m->cpu[0].history[0]));
	/* The same configuration again: a gap, but no mark. */
	assert_int_equal(m->mark_count, 0);
}

static void knob(struct scene *s, const char *name, const char *value)
{
	assert_int_equal(config_knob_set(&s->config, name, value, NULL), 0);
}

/* One more key is pressed. */
static void change(struct scene *s, unsigned step)
{
	switch (step) {
	case 0:
		snprintf(s->config.variant, sizeof(s->config.variant), "ttas");
		break;
	case 1:
		s->config.threads = 4;
		break;
	case 2:
		s->config.place = PLACE_PACK;
		break;
	case 3:
		snprintf(s->config.cpus, sizeof(s->config.cpus), "0-3");
		break;
	case 4:
		knob(s, "hold_ns", "5");
		break;
	case 5:
		knob(s, "hold_ns", "7");
		break;
	case 6:
		knob(s, "hold_ns", "8");
		knob(s, "think_ns", "9");
		break;
	case 7:
		s->config.knob_count--; /* back to what it is unless told */
		break;
	case 8:
		s->made.plan.measure = PAGE_MEASURE_OFF;
		break;
	case 9:
		s->made.plan.measure = PAGE_MEASURE_SAMPLED;
		s->made.plan.sample_n = 64;
		break;
	case 10:
		s->made.plan.sample_n = 9;
		break;
	case 11:
		snprintf(s->config.variant, sizeof(s->config.variant), "a-name-longer-than-fits");
		s->config.threads = 2; /* one mark a trial: the first that applies */
		break;
	case 12:
		snprintf(s->config.workload, sizeof(s->config.workload), "other");
		break;
	}
}

static void changes_expect_marks_that_say_what_and_by_which_key(void **state)
{
	static const struct {
		char kind;
		const char *text;
	} expected[] = {
		{'v', "mcs>ttas"},   {'t', "2>4 thr"},   {'p', "pack"},
		{'p', "cpus"},       {'k', "hold_ns=5"}, {'k', "hold_ns=7"},
		{'k', "knobs"},      {'k', "knobs"},     {'m', "off"},
		{'m', "sampled:64"}, {'m', "sampled:9"}, {'v', "ttas>a-name-lon"},
		{'w', "other"},
	};
	const unsigned count = sizeof(expected) / sizeof(expected[0]);
	struct scene *s = *state;
	const struct model *m = &s->model;

	trial(s);
	for (unsigned i = 0; i < count; i++) {
		change(s, i);
		trial(s);
	}
	assert_int_equal(m->mark_count, count);
	for (unsigned i = 0; i < count; i++) {
		assert_string_equal(m->mark[i].text, expected[i].text);
		assert_int_equal(m->mark[i].kind, expected[i].kind);
		/* A mark stands at the first sample of its trial: behind the gap. */
		assert_int_equal(m->mark[i].sample, i + 1);
	}
}

static void more_marks_than_fit_expect_the_newest(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;
	const unsigned max = sizeof(m->mark) / sizeof(m->mark[0]);
	char text[40];

	for (unsigned i = 0; i <= max + 3; i++) {
		snprintf(s->config.variant, sizeof(s->config.variant), "v%u", i);
		trial(s);
	}
	assert_int_equal(m->mark_count, max);
	for (unsigned i = 0; i < max; i++) {
		snprintf(text, sizeof(text), "v%u>v%u", i + 3, i + 4);
		assert_string_equal(m->mark[i].text, text);
		assert_int_equal(m->mark[i].sample, i + 4);
	}
}

static void trial_ended_expect_result_at_its_variant_only(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;

	trial(s);
	tick(s, 10, true);
	model_trial_ended(&s->model, &s->round);
	for (unsigned i = 0; i < m->variant_count; i++) {
		const struct model_variant *v = &m->variant[i];

		if (strcmp(v->info->name, "mcs") != 0) {
			assert_int_equal(v->ops_per_s.why, WHY_NOT_YET);
			assert_true(v->ended_at_s == -1);
			continue;
		}
		assert_number(v->ops_per_s, 3000);
		assert_number(v->wait_p50_ns, MADE_WAIT_NS);
		assert_number(v->wait_p99_ns, MADE_WAIT_NS);
		assert_number(v->fairness, 9.0 / 10);
		assert_true(v->ended_at_s == 7);
		assert_true(v->settings_same);
	}
	/* Kept when the next trial begins; nobody's result harms nobody. */
	snprintf(s->round.config.variant, sizeof(s->round.config.variant), "unheard-of");
	model_trial_ended(&s->model, &s->round);
	trial(s);
	assert_number(m->variant[7].ops_per_s, 3000);
	s->round.lock_count = 0;
	snprintf(s->round.config.variant, sizeof(s->round.config.variant), "null");
	model_trial_ended(&s->model, &s->round);
	assert_int_equal(m->variant[m->variant_count - 1].wait_p50_ns.why, WHY_UNSUPPORTED);
}

static bool same_settings(struct scene *s)
{
	trial(s);
	return s->model.variant[7].settings_same;
}

/* A result of other settings is no rival: the list says which are which. */
static void results_expect_to_say_if_their_settings_are_the_present_ones(void **state)
{
	struct scene *s = *state;
	struct config before = s->config;

	trial(s);
	assert_false(s->model.variant[7].settings_same);
	model_trial_ended(&s->model, &s->round);
	assert_true(s->model.variant[7].settings_same);
	assert_false(s->model.variant[5].settings_same);
	snprintf(s->config.variant, sizeof(s->config.variant), "ttas");
	assert_true(same_settings(s));
	s->config.threads++;
	assert_false(same_settings(s));
	s->config = before;
	assert_true(same_settings(s));
	s->config.place = PLACE_PACK;
	assert_false(same_settings(s));
	s->config = before;
	snprintf(s->config.cpus, sizeof(s->config.cpus), "0,2");
	assert_false(same_settings(s));
	s->config = before;
	knob(s, "hold_ns", "5");
	assert_false(same_settings(s));
	s->config = before;
	s->made.plan.measure = PAGE_MEASURE_EVERY;
	assert_false(same_settings(s));
	s->made.plan = s->round.plan;
	assert_true(same_settings(s));
}

static void clear_expect_history_and_results_gone_and_figures_kept(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;

	trial(s);
	tick(s, 10, true);
	model_trial_ended(&s->model, &s->round);
	s->config.threads = 3;
	trial(s);
	tick(s, 20, true);
	model_say(&s->model, MODEL_NOTE, "kept");
	model_clear(&s->model);
	assert_int_equal(m->sample_count, 0);
	assert_int_equal(m->mark_count, 0);
	for (unsigned i = 0; i < MODEL_HISTORY; i++)
		assert_true(isnan(m->history[i]));
	for (unsigned i = 0; i < m->cpu_count; i++)
		assert_true(isnan(m->cpu[i].history[0]) && isnan(m->cpu[i].history[2]));
	assert_int_equal(m->variant[7].ops_per_s.why, WHY_NOT_YET);
	assert_true(m->variant[7].ended_at_s == -1);
	assert_non_null(m->variant[7].info);
	assert_number(m->ops_per_s, 60);
	assert_int_equal(m->message_count, 1);
	/* The next sample is the first again. */
	tick(s, 30, true);
	assert_true(m->history[0] == 90);
}

static void messages_past_the_end_expect_the_newest_kept(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;
	char text[32];

	s->model.now_s = 4;
	for (unsigned i = 0; i < MODEL_MESSAGES + 10; i++)
		model_say(&s->model, i % 2 ? MODEL_WARNING : MODEL_ERROR, "number %u", i);
	assert_int_equal(m->message_count, MODEL_MESSAGES + 10);
	for (unsigned i = 10; i < MODEL_MESSAGES + 10; i++) {
		const struct model_message *x = &m->message[i % MODEL_MESSAGES];

		snprintf(text, sizeof(text), "number %u", i);
		assert_string_equal(x->text, text);
		assert_int_equal(x->severity, i % 2 ? MODEL_WARNING : MODEL_ERROR);
		assert_true(x->at_s == 4);
	}
}

static void message_with_escapes_or_too_long_expect_clean_and_cut(void **state)
{
	struct scene *s = *state;
	const struct model_message *x = s->model.message;
	char text[1024];

	model_say(&s->model, MODEL_NOTE, "%s", "a\033[31mb\nc\x7f");
	assert_string_equal(x[0].text, "a?[31mb?c?");
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	model_say(&s->model, MODEL_NOTE, "%s", text);
	assert_int_equal(strlen(x[1].text), sizeof(x[1].text) - 1);
	/* Two-byte characters are not cut in half. */
	for (unsigned i = 0; i < 300; i++)
		memcpy(text + 2 * i, "\xc2\xb5", 3);
	model_say(&s->model, MODEL_NOTE, "%s", text);
	assert_int_equal(strlen(x[2].text), sizeof(x[2].text) - 2);
	model_say(&s->model, MODEL_NOTE, "%s", "");
	assert_string_equal(x[3].text, "");
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(samples_past_the_end_expect_the_newest_kept),
		SCENE(redraw_only_expect_no_sample),
		SCENE(trials_expect_gap_between_and_histories_of_cpus_that_stay),
		SCENE(changes_expect_marks_that_say_what_and_by_which_key),
		SCENE(more_marks_than_fit_expect_the_newest),
		SCENE(trial_ended_expect_result_at_its_variant_only),
		SCENE(results_expect_to_say_if_their_settings_are_the_present_ones),
		SCENE(clear_expect_history_and_results_gone_and_figures_kept),
		SCENE(messages_past_the_end_expect_the_newest_kept),
		SCENE(message_with_escapes_or_too_long_expect_clean_and_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
