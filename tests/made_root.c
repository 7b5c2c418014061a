/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes and removes a temporary tree of small files.
 */
#include "tests/made_root.h"

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

void made_root_init(struct made_root *r)
{
	snprintf(r->path, sizeof(r->path), "/tmp/hotline-root-XXXXXX");
	assert_non_null(mkdtemp(r->path));
}

void made_root_write(struct made_root *r, const char *path, const char *text)
{
	char full[512];
	FILE *f;

	assert_true(snprintf(full, sizeof(full), "%s%s", r->path, path) < (int)sizeof(full));
	for (char *p = full + strlen(r->path) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
		*p = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static int entry_remove(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

void made_root_fini(struct made_root *r)
{
	assert_int_equal(nftw(r->path, entry_remove, 8, FTW_DEPTH | FTW_PHYS), 0);
}
