/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The settings on disk: written whole and for the user alone, and whatever may lie in their place.
 */
#include "src/settings.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A folder of its own, and the path of a file that is not there yet. */
struct place {
	char dir[64];
	struct settings s;
};

static int setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	struct err e;

	assert_non_null(p);
	snprintf(p->dir, sizeof(p->dir), "/tmp/hotline-test-XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	p->s = settings_default();
	assert_int_equal(settings_path(&p->s, p->dir, NULL, &e), 0);
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", p->dir);
	assert_int_equal(system(command), 0);
	free(p);
	return 0;
}

static void put(struct place *p, const char *text)
{
	char dir[96];
	FILE *f;

	snprintf(dir, sizeof(dir), "%s/hotline", p->dir);
	mkdir(dir, 0700);
	f = fopen(p->s.path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void check_default(const struct settings *s)
{
	const struct settings def = settings_default();

	assert_int_equal(s->theme, def.theme);
	assert_int_equal(s->color, def.color);
	assert_int_equal(s->ascii, def.ascii);
	assert_int_equal(s->mouse, def.mouse);
	assert_true(s->interval_s >= 0.25 && s->interval_s <= 0.25);
	assert_int_equal(s->measure, def.measure);
	assert_string_equal(s->events, "");
	assert_string_equal(s->sort[ROWS_CPUS].id, "");
	assert_string_equal(s->sort[ROWS_VARIANTS].id, "");
}

static void written_file_expect_read_back_equal(void **state)
{
	struct place *p = *state;
	struct settings back = p->s;
	struct err e = {0};
	struct stat st;

	p->s.theme = THEME_LIGHT;
	p->s.color = COLOR_ALWAYS;
	p->s.ascii = true;
	p->s.mouse = false;
	p->s.interval_s = 0.125;
	p->s.measure = PAGE_MEASURE_SAMPLED;
	p->s.sample_n = 7;
	snprintf(p->s.events, sizeof(p->s.events), "switch,LLC-LOAD-MISSES:u");
	snprintf(p->s.sort[ROWS_CPUS].id, ROWS_SORT_BYTES, "ops_per_s");
	snprintf(p->s.sort[ROWS_VARIANTS].id, ROWS_SORT_BYTES, "fairness_jain");
	assert_int_equal(settings_write(&p->s, &e), 0);
	settings_read(&back);
	assert_int_equal(back.warning_count, 0);
	assert_int_equal(back.theme, p->s.theme);
	assert_int_equal(back.color, p->s.color);
	assert_int_equal(back.ascii, p->s.ascii);
	assert_int_equal(back.mouse, p->s.mouse);
	assert_true(back.interval_s >= 0.125 && back.interval_s <= 0.125);
	assert_int_equal(back.measure, p->s.measure);
	assert_int_equal(back.sample_n, 7);
	assert_string_equal(back.events, p->s.events);
	assert_memory_equal(back.sort, p->s.sort, sizeof(back.sort));
	/* For the user alone. */
	assert_int_equal(stat(p->s.path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	*strrchr(back.path, '/') = '\0';
	assert_int_equal(stat(back.path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
}

static void file_that_is_there_expect_replaced_whole(void **state)
{
	struct place *p = *state;
	struct settings back = p->s;
	struct err e = {0};
	char command[160];

	put(p, "theme = mono\nnonsense\n");
	p->s.theme = THEME_LIGHT;
	assert_int_equal(settings_write(&p->s, &e), 0);
	settings_read(&back);
	assert_int_equal(back.warning_count, 0);
	assert_int_equal(back.theme, THEME_LIGHT);
	/* And nothing is left beside it. */
	snprintf(command, sizeof(command), "test $(ls -A %s/hotline | wc -l) -eq 1", p->dir);
	assert_int_equal(system(command), 0);
}

static void no_file_expect_silence(void **state)
{
	struct place *p = *state;

	settings_read(&p->s);
	assert_int_equal(p->s.warning_count, 0);
	check_default(&p->s);
	p->s.path[0] = '\0';
	settings_read(&p->s);
	assert_int_equal(p->s.warning_count, 0);
}

/* A folder, a pipe, a device, a loop of links, bytes, too much. */
static void other_things_in_its_place_expect_reason_no_harm(void **state)
{
	static const struct {
		const char *make; /* @: the path */
		const char *says;
		bool refused; /* by settings_write() */
	} cases[] = {
		{"mkdir @", "it is a directory", true},
		{"mkfifo @", "no regular file", true},
		{"ln -s /dev/null @", "no regular file", true},
		{"ln -s config @", "Too many levels of symbolic links", true},
		{"printf 'theme = mono\\000' >@", "no text", false},
		{"head -c 70000 /dev/zero | tr '\\0' x >@", "longer than", false},
	};
	struct place *p = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char command[3 * sizeof(p->s.path)] = "";
		struct err e = {0};

		snprintf(command, sizeof(command), "rm -rf %s/hotline; mkdir %s/hotline; p=%s; ",
			 p->dir, p->dir, p->s.path);
		for (const char *c = cases[i].make; *c; c++)
			snprintf(command + strlen(command), sizeof(command) - strlen(command),
				 *c == '@' ? "$p" : "%c", *c);
		assert_int_equal(system(command), 0);
		p->s.warning_count = 0;
		settings_read(&p->s);
		assert_int_equal(p->s.warning_count, 1);
		if (!strstr(p->s.warning[0], cases[i].says))
			fail_msg("%s: '%s'", cases[i].make, p->s.warning[0]);
		check_default(&p->s);
		assert_int_equal(settings_write(&p->s, &e) != 0, cases[i].refused);
		if (cases[i].refused)
			assert_non_null(strstr(e.text, p->s.path));
	}
	assert_int_equal(access("/dev/null", W_OK), 0);
}

static void link_expect_followed_and_kept(void **state)
{
	struct place *p = *state;
	struct err e = {0};
	char real[128];
	struct stat st;

	put(p, "");
	snprintf(real, sizeof(real), "%s/real", p->dir);
	assert_int_equal(rename(p->s.path, real), 0);
	assert_int_equal(symlink(real, p->s.path), 0);
	p->s.theme = THEME_MONO;
	assert_int_equal(settings_write(&p->s, &e), 0);
	assert_int_equal(lstat(p->s.path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(real, &st), 0);
	assert_true(st.st_size > 0);
}

static void unreadable_file_expect_why(void **state)
{
	struct place *p = *state;

	uid_t user = geteuid();

	put(p, "theme = mono\n");
	assert_int_equal(chmod(p->s.path, 0), 0);
	/* Root reads everything: it becomes somebody else. */
	assert_true(user != 0 || seteuid(65534) == 0);
	settings_read(&p->s);
	assert_int_equal(seteuid(user), 0);
	assert_int_equal(p->s.warning_count, 1);
	assert_non_null(strstr(p->s.warning[0], "Permission denied"));
	check_default(&p->s);
}

static void folder_that_cannot_be_made_expect_reason(void **state)
{
	struct place *p = *state;
	struct err e = {0};

	/* A file where a folder should be; /proc, for root too. */
	put(p, "");
	snprintf(p->s.path, sizeof(p->s.path), "%s/hotline/config/hotline/config", p->dir);
	assert_int_equal(settings_write(&p->s, &e), -ENOTDIR);
	settings_read(&p->s);
	assert_int_equal(p->s.warning_count, 0);
	snprintf(p->s.path, sizeof(p->s.path), "/proc/\033nosuch/hotline/config");
	assert_true(settings_write(&p->s, &e) < 0);
	assert_non_null(strstr(e.text, "/proc/?nosuch"));
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(written_file_expect_read_back_equal),
		IN_FOLDER(file_that_is_there_expect_replaced_whole),
		IN_FOLDER(no_file_expect_silence),
		IN_FOLDER(other_things_in_its_place_expect_reason_no_harm),
		IN_FOLDER(link_expect_followed_and_kept),
		IN_FOLDER(unreadable_file_expect_why),
		IN_FOLDER(folder_that_cannot_be_made_expect_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
