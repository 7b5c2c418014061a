/* SPDX-License-Identifier: MIT */
/*
 * Making, mapping and distrusting the page.
 */
#include "probes/page.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const int wanted_seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

/* FNV-1a over 64-bit words. Source: the FNV reference parameters. */
static uint64_t mix(uint64_t h, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++) {
		h ^= (v >> (8 * i)) & 0xff;
		h *= 0x100000001b3ull;
	}
	return h;
}

uint64_t page_layout_hash(void)
{
	static const uint64_t facts[] = {
		PAGE_ABI_MAJOR,
		PAGE_SLOTS,
		PAGE_KNOBS,
		PAGE_ROLES,
		PAGE_CHUNK_BYTES,
		HIST_SUB_BITS,
		HIST_VALUE_BITS,
		sizeof(struct hist),
		offsetof(struct hist, bucket),
		sizeof(struct page_ctl),
		offsetof(struct page_ctl, seed),
		offsetof(struct page_ctl, delay_per_ns),
		offsetof(struct page_ctl, sync),
		offsetof(struct page_ctl, knob),
		offsetof(struct page_ctl, cpu),
		offsetof(struct page_ctl, tick_source),
		sizeof(struct page_lab),
		offsetof(struct page_lab, sample_n),
		offsetof(struct page_lab, tick_hz),
		offsetof(struct page_lab, stamp_ns),
		offsetof(struct page_lab, delay_per_ns),
		offsetof(struct page_lab, probe_before_ns),
		offsetof(struct page_lab, probe_why),
		offsetof(struct page_lab, invariant_checked),
		offsetof(struct page_lab, invariant_found),
		offsetof(struct page_lab, role),
		offsetof(struct page_lab, error),
		offsetof(struct page_lab, next_chunk),
		sizeof(struct page_slot),
		offsetof(struct page_slot, row),
		offsetof(struct page_slot, begin_ticks),
		offsetof(struct page_slot, end_ticks),
		offsetof(struct page_slot, backwards_count),
		offsetof(struct page_slot, begin),
		offsetof(struct page_slot, end),
		sizeof(struct page_row),
		offsetof(struct page_row, ops),
		offsetof(struct page_row, next),
		offsetof(struct page_row, contended),
		offsetof(struct page_row, has_contended),
		offsetof(struct page_row, a),
		offsetof(struct page_row, b),
		offsetof(struct page, lab),
		offsetof(struct page, slot),
		sizeof(struct page),
		sizeof(struct osstat),
	};
	uint64_t h = 0xcbf29ce484222325ull;

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		h = mix(h, facts[i]);
	return h;
}

static uint64_t arena_offset(void)
{
	return (sizeof(struct page) + PAGE_CHUNK_BYTES - 1) & ~(uint64_t)(PAGE_CHUNK_BYTES - 1);
}

uint64_t page_size_bytes(void)
{
	return arena_offset() + PAGE_ARENA_BYTES;
}

static int page_map(int fd, uint64_t bytes, struct page **out, struct err *e)
{
	void *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);

	if (m == MAP_FAILED)
		return err_set(e, -errno, "mmap of the page (%llu MiB of address space): %s",
			       (unsigned long long)(bytes >> 20), strerror(errno));
	*out = m;
	return 0;
}

int page_create(int *fd, struct page **out, struct err *e)
{
	uint64_t bytes = page_size_bytes();
	struct page *p = NULL;
	int rc;

	*fd = memfd_create("hotline-page", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd < 0)
		return err_set(e, -errno, "memfd_create(hotline-page): %s", strerror(errno));
	if (ftruncate(*fd, (off_t)bytes) != 0 || fcntl(*fd, F_ADD_SEALS, wanted_seals) != 0) {
		rc = err_set(e, -errno, "sizing and sealing the page: %s", strerror(errno));
		goto out_close;
	}
	rc = page_map(*fd, bytes, &p, e);
	if (rc)
		goto out_close;
	p->head.magic = PAGE_MAGIC;
	p->head.abi_major = PAGE_ABI_MAJOR;
	p->head.slot_count = PAGE_SLOTS;
	p->head.layout_hash = page_layout_hash();
	p->head.size_bytes = bytes;
	p->head.arena_offset = arena_offset();
	p->head.arena_bytes = PAGE_ARENA_BYTES;
	*out = p;
	return 0;
out_close:
	close(*fd);
	*fd = -1;
	return rc;
}

int page_attach(int fd, struct page **out, struct err *e)
{
	struct stat st;
	int seals = fcntl(fd, F_GET_SEALS);
	int rc;

	if (seals < 0 || (seals & wanted_seals) != wanted_seals)
		return err_set(
			e, -EPERM,
			"page on descriptor %d: not a sealed memfd (start this program by hotline)",
			fd);
	if (fstat(fd, &st) != 0 || (uint64_t)st.st_size < sizeof(struct page))
		return err_set(e, -EINVAL, "page on descriptor %d: too small", fd);
	rc = page_map(fd, (uint64_t)st.st_size, out, e);
	if (rc)
		return rc;
	rc = page_check(*out, (uint64_t)st.st_size, e);
	if (rc) {
		munmap(*out, (size_t)st.st_size);
		*out = NULL;
	}
	return rc;
}

void page_unmap(struct page *p)
{
	if (p)
		munmap(p, page_size_bytes());
}

int page_check(const struct page *p, uint64_t bytes, struct err *e)
{
	const struct page_head *h = &p->head;

	if (bytes < sizeof(struct page))
		return err_set(e, -EPROTO, "page: %llu bytes is too small",
			       (unsigned long long)bytes);
	if (h->magic != PAGE_MAGIC)
		return err_set(e, -EPROTO, "page: wrong magic %016llx",
			       (unsigned long long)h->magic);
	if (h->abi_major != PAGE_ABI_MAJOR)
		return err_set(e, -EPROTO, "page: version %u, this program knows %d (rebuild both)",
			       h->abi_major, PAGE_ABI_MAJOR);
	if (h->layout_hash != page_layout_hash() || h->slot_count != PAGE_SLOTS)
		return err_set(e, -EPROTO, "page: other layout (rebuild hotline and hotline-lab)");
	if (h->size_bytes != bytes || h->arena_offset != arena_offset() ||
	    h->arena_bytes != PAGE_ARENA_BYTES || bytes != page_size_bytes())
		return err_set(e, -EPROTO, "page: size does not fit its head");
	return 0;
}

const struct page_row *page_row_at(const struct page *p, uint64_t offset)
{
	uint64_t base = arena_offset();

	if (offset < base || offset % PAGE_LINE_PAIR ||
	    offset > base + PAGE_ARENA_BYTES - sizeof(struct page_row))
		return NULL;
	return (const struct page_row *)((const char *)p + offset);
}
