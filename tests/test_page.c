/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page: its seals, its layout, and what is refused.
 */
#include "probes/page.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct made_page {
	int fd;
	struct page *page;
};

static int page_setup(void **state)
{
	static struct made_page m;

	*state = &m;
	return page_create(&m.fd, &m.page, NULL);
}

static int page_teardown(void **state)
{
	struct made_page *m = *state;

	page_unmap(m->page);
	return close(m->fd);
}

static void layout_expect_the_pinned_hash(void **state)
{
	const uint64_t pinned = 0x1492dba2ebd99412;

	(void)state;
	if (PAGE_ABI_MAJOR != 2 || page_layout_hash() != pinned)
		fail_msg("the layout of the page has changed: raise PAGE_ABI_MAJOR, note it in "
			 "doc/page.md, then pin version %d with hash 0x%016llx here",
			 PAGE_ABI_MAJOR, (unsigned long long)page_layout_hash());
}

static void new_page_expect_size_and_head_that_check(void **state)
{
	struct made_page *m = *state;
	struct stat st;

	assert_int_equal(fstat(m->fd, &st), 0);
	assert_int_equal(st.st_size, page_size_bytes());
	assert_int_equal(page_check(m->page, page_size_bytes(), NULL), 0);
	assert_int_equal(page_lab_state(m->page), PAGE_LAB_NONE);
	/* Sparse: memory only where something was written. */
	assert_true((uint64_t)st.st_blocks * 512 < 1 << 20);
	assert_true(fcntl(m->fd, F_GETFD) & FD_CLOEXEC);
}

static void new_page_expect_no_size_or_seal_can_change(void **state)
{
	struct made_page *m = *state;

	assert_int_equal(ftruncate(m->fd, 4096), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(ftruncate(m->fd, (off_t)page_size_bytes() + 4096), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(fcntl(m->fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
	assert_int_equal(errno, EPERM);
}

static void page_attached_twice_expect_one_memory(void **state)
{
	struct made_page *m = *state;
	struct page *other = NULL;

	assert_int_equal(page_attach(m->fd, &other, NULL), 0);
	assert_ptr_not_equal(other, m->page);
	m->page->ctl.threads = 7;
	other->slot[PAGE_SLOTS - 1].tid = 9;
	assert_int_equal(other->ctl.threads, 7);
	assert_int_equal(m->page->slot[PAGE_SLOTS - 1].tid, 9);
	page_unmap(other);
	page_unmap(NULL);
}

/* Every bit of the head that has a meaning; reserved words may get one without a new version. */
static void any_bit_of_the_head_altered_expect_refused(void **state)
{
	struct made_page *m = *state;
	unsigned char *head = (unsigned char *)&m->page->head;

	for (size_t i = 0; i < sizeof(m->page->head) * 8; i++) {
		bool reserved = i / 8 >= offsetof(struct page_head, reserved);
		struct err e = {0};

		head[i / 8] ^= (unsigned char)(1u << i % 8);
		assert_int_equal(page_check(m->page, page_size_bytes(), &e),
				 reserved ? 0 : -EPROTO);
		assert_int_equal(e.text[0] != '\0', !reserved);
		head[i / 8] ^= (unsigned char)(1u << i % 8);
	}
}

static void sizes_that_do_not_fit_expect_refused(void **state)
{
	struct made_page *m = *state;
	const uint64_t sizes[] = {
		0,
		sizeof(struct page_head),
		sizeof(struct page) - 1,
		sizeof(struct page),
		page_size_bytes() - 1,
		page_size_bytes() + 1,
		UINT64_MAX,
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		m->page->head.size_bytes = sizes[i];
		assert_int_equal(page_check(m->page, sizes[i], NULL), -EPROTO);
	}
}

static void random_heads_expect_refused(void **state)
{
	struct made_page *m = *state;
	unsigned char *head = (unsigned char *)&m->page->head;
	uint32_t seed = 1;

	for (int round = 0; round < 1000; round++) {
		for (size_t i = 0; i < sizeof(m->page->head); i++) {
			seed = seed * 1664525u + 1013904223u;
			head[i] = (unsigned char)(seed >> 24);
		}
		if (round % 2)
			m->page->head.magic = PAGE_MAGIC;
		assert_int_equal(page_check(m->page, page_size_bytes(), NULL), -EPROTO);
	}
}

static void offsets_expect_rows_only_where_rows_can_be(void **state)
{
	struct made_page *m = *state;
	const uint64_t base = m->page->head.arena_offset;
	const uint64_t end = base + PAGE_ARENA_BYTES, last = end - sizeof(struct page_row);
	const struct {
		uint64_t offset;
		bool good;
	} row[] = {
		{0, false},
		{offsetof(struct page, slot), false},
		{base - PAGE_LINE_PAIR, false},
		{base, true},
		{base + 1, false},
		{base + PAGE_LINE_PAIR / 2, false},
		{base + PAGE_LINE_PAIR, true},
		{base + PAGE_CHUNK_BYTES, true},
		{last, true},
		{last + 1, false},
		{last + PAGE_LINE_PAIR, false},
		{end, false},
		{UINT64_MAX, false},
		{UINT64_MAX - PAGE_LINE_PAIR + 1, false},
		{1ull << 63, false},
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		const struct page_row *at = page_row_at(m->page, row[i].offset);

		if (row[i].good)
			assert_ptr_equal(at, (const char *)m->page + row[i].offset);
		else
			assert_null(at);
	}
}

/* The head of a page may lie: offsets are checked against what this program knows. */
static void head_altered_later_expect_row_offsets_still_checked(void **state)
{
	struct made_page *m = *state;

	m->page->head.arena_offset = 0;
	m->page->head.arena_bytes = UINT64_MAX;
	assert_null(page_row_at(m->page, 0));
	assert_null(page_row_at(m->page, page_size_bytes()));
}

static void attach_with_wrong_head_expect_protocol_error(void **state)
{
	struct made_page *m = *state;
	struct page *out = NULL;
	struct err e;

	m->page->head.abi_major++;
	assert_int_equal(page_attach(m->fd, &out, &e), -EPROTO);
	assert_null(out);
	assert_non_null(strstr(e.text, "rebuild"));
}

/* A memfd of @bytes with the head of @from, sealed as asked. */
static int memfd_make(const struct page *from, uint64_t bytes, int seals)
{
	int fd = memfd_create("test_page", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &from->head, sizeof(from->head), 0), sizeof(from->head));
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

static void attach_to_other_memfds_expect_refused(void **state)
{
	struct made_page *m = *state;
	const int fixed = F_SEAL_SHRINK | F_SEAL_GROW, all = fixed | F_SEAL_SEAL;
	const uint64_t whole = page_size_bytes();
	const struct {
		uint64_t bytes;
		int seals, code;
	} row[] = {
		{whole, 0, -EPERM},
		{whole, fixed, -EPERM},
		{whole, F_SEAL_GROW | F_SEAL_SEAL, -EPERM},
		{whole, F_SEAL_SHRINK | F_SEAL_SEAL, -EPERM},
		{whole, all | F_SEAL_WRITE, -EPERM}, /* refused by mmap */
		{whole, all, 0},
		{whole - 4096, all, -EPROTO},
		{whole + 4096, all, -EPROTO},
		{sizeof(struct page), all, -EPROTO},
		{sizeof(struct page) - 1, all, -EINVAL},
		{4096, all, -EINVAL},
		{0, all, -EINVAL},
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		int fd = memfd_make(m->page, row[i].bytes, row[i].seals);
		struct page *out = NULL;
		struct err e = {0};

		assert_int_equal(page_attach(fd, &out, &e), row[i].code);
		assert_int_equal(e.code, row[i].code);
		assert_int_equal(out != NULL, row[i].code == 0);
		page_unmap(out);
		close(fd);
	}
}

static void attach_to_what_is_no_memfd_expect_not_permitted(void **state)
{
	char path[] = "/tmp/test_page.XXXXXX";
	int file = mkstemp(path), null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int fds[] = {file, null, -1};
	struct made_page *m = *state;
	struct page *out = NULL;
	struct err e;

	assert_true(file >= 0 && null >= 0);
	unlink(path);
	assert_int_equal(pwrite(file, &m->page->head, sizeof(m->page->head), 0),
			 sizeof(m->page->head));
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		assert_int_equal(page_attach(fds[i], &out, &e), -EPERM);
		assert_null(out);
		assert_non_null(strstr(e.text, "start this program by hotline"));
	}
	close(file);
	close(null);
}

#define WITH_PAGE(test) cmocka_unit_test_setup_teardown(test, page_setup, page_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout_expect_the_pinned_hash),
		WITH_PAGE(new_page_expect_size_and_head_that_check),
		WITH_PAGE(new_page_expect_no_size_or_seal_can_change),
		WITH_PAGE(page_attached_twice_expect_one_memory),
		WITH_PAGE(any_bit_of_the_head_altered_expect_refused),
		WITH_PAGE(sizes_that_do_not_fit_expect_refused),
		WITH_PAGE(random_heads_expect_refused),
		WITH_PAGE(offsets_expect_rows_only_where_rows_can_be),
		WITH_PAGE(head_altered_later_expect_row_offsets_still_checked),
		WITH_PAGE(attach_with_wrong_head_expect_protocol_error),
		WITH_PAGE(attach_to_other_memfds_expect_refused),
		WITH_PAGE(attach_to_what_is_no_memfd_expect_not_permitted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
