/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decrement lock of email 003 in its x86-64 shapes: a template for its four variants.
 *
 * Signed word: 1 = free, 0 = held, negative = held and waited for. Acquire: locked decrement; not
 * negative: done. Else wait, reading before the next decrement: both orders are
 * test-and-test-and-set with a counter. They differ in two jumps only:
 *   old: not free -> back to the pause (jle); free falls through to a jump to the decrement
 *   new: free -> back to the decrement (jg); not free falls through to a jump to the pause
 * Unlock: a plain store of 1, or xchg. Unfair; one word.
 * Source: C. Ebbert, linux-kernel, 14 October 2005; glibc 2.12's i386 pthread_spin_lock had the new
 * order. The operand is "+m" with "memory": the original's "=m" let the compiler forget the old
 * value.
 *
 * The includer defines DEC_IDENT, DEC_ACQUIRE and DEC_RELEASE. Four loops are compiled (word of 32
 * or 8 bits, with and without pause), each alone in a section and free of references to the
 * outside; the one that the knobs choose is copied to an executable page at code_offset, once a
 * trial.
 */
#include "src/lab/spinlock_op.h"

#if defined(__x86_64__)

/* @suffix: "l" or "b"; @pause: "rep; nop" or "" */
#define DEC_OLD(word, suffix, pause)                                                              \
	__asm__ __volatile__("1:\tlock; dec" suffix " %0\n\t"                                     \
			     "jns 3f\n"                                                           \
			     "2:\t" pause "\n\t"                                                  \
			     "cmp" suffix " $0, %0\n\t"                                           \
			     "jle 2b\n\t"                                                         \
			     "jmp 1b\n"                                                           \
			     "3:"                                                                 \
			     : "+m"(word)                                                         \
			     :                                                                    \
			     : "memory", "cc")

#define DEC_NEW(word, suffix, pause)                                                              \
	__asm__ __volatile__("1:\tlock; dec" suffix " %0\n\t"                                     \
			     "jns 3f\n"                                                           \
			     "2:\t" pause "\n\t"                                                  \
			     "cmp" suffix " $0, %0\n\t"                                           \
			     "jg 1b\n\t"                                                          \
			     "jmp 2b\n"                                                           \
			     "3:"                                                                 \
			     : "+m"(word)                                                         \
			     :                                                                    \
			     : "memory", "cc")

#define DEC_MOV(word, suffix)                                                                     \
	__asm__ __volatile__("mov" suffix " $1, %0" : "=m"(word) : : "memory")

#define DEC_XCHG(word, suffix)                                                                    \
	do {                                                                                      \
		__typeof__(word) dec_one = 1;                                                     \
		__asm__ __volatile__("xchg" suffix " %0, %1"                                      \
				     : "+q"(dec_one), "+m"(word)                                  \
				     :                                                            \
				     : "memory");                                                 \
	} while (0)

#define DEC_PASTE2(a, b, c) a##b##c
#define DEC_PASTE(a, b, c) DEC_PASTE2(a, b, c)
#define DEC_TEXT2(x) #x
#define DEC_TEXT(x) DEC_TEXT2(x)
/*
 * The linker gives a section whose name is an identifier the bounds __start_NAME and __stop_NAME.
 */
#define DEC_SECTION(shape) DEC_PASTE(hl_, DEC_IDENT, shape)
#define LOOP_PLACE_AT(shape) __attribute__((section(DEC_TEXT(DEC_SECTION(shape)))))
#define DEC_CODE(shape)                                                                           \
	{                                                                                         \
		.run = DEC_PASTE(run_, DEC_IDENT, shape),                                         \
		.start = DEC_PASTE(__start_hl_, DEC_IDENT, shape),                                \
		.stop = DEC_PASTE(__stop_hl_, DEC_IDENT, shape),                                  \
	}

#define LOOP_RELEASE32(lock, me) DEC_RELEASE(*(int32_t *)(lock), "l")
#define LOOP_RELEASE8(lock, me) DEC_RELEASE(*(int8_t *)(lock), "b")

#define LOOP_RELEASE LOOP_RELEASE32
#define LOOP_NAME DEC_PASTE(run_, DEC_IDENT, _32_pause)
#define LOOP_ACQUIRE(lock, me) DEC_ACQUIRE(*(int32_t *)(lock), "l", "rep; nop")
#define LOOP_PLACE LOOP_PLACE_AT(_32_pause)
#include "src/lab/spinlock_loop.h"
#undef LOOP_NAME
#undef LOOP_ACQUIRE
#undef LOOP_PLACE
#define LOOP_NAME DEC_PASTE(run_, DEC_IDENT, _32_bare)
#define LOOP_ACQUIRE(lock, me) DEC_ACQUIRE(*(int32_t *)(lock), "l", "")
#define LOOP_PLACE LOOP_PLACE_AT(_32_bare)
#include "src/lab/spinlock_loop.h"
#undef LOOP_NAME
#undef LOOP_ACQUIRE
#undef LOOP_PLACE
#undef LOOP_RELEASE

#define LOOP_RELEASE LOOP_RELEASE8
#define LOOP_NAME DEC_PASTE(run_, DEC_IDENT, _8_pause)
#define LOOP_ACQUIRE(lock, me) DEC_ACQUIRE(*(int8_t *)(lock), "b", "rep; nop")
#define LOOP_PLACE LOOP_PLACE_AT(_8_pause)
#include "src/lab/spinlock_loop.h"
#undef LOOP_NAME
#undef LOOP_ACQUIRE
#undef LOOP_PLACE
#define LOOP_NAME DEC_PASTE(run_, DEC_IDENT, _8_bare)
#define LOOP_ACQUIRE(lock, me) DEC_ACQUIRE(*(int8_t *)(lock), "b", "")
#define LOOP_PLACE LOOP_PLACE_AT(_8_bare)
#include "src/lab/spinlock_loop.h"

extern const char DEC_PASTE(__start_hl_, DEC_IDENT, _32_pause)[];
extern const char DEC_PASTE(__stop_hl_, DEC_IDENT, _32_pause)[];
extern const char DEC_PASTE(__start_hl_, DEC_IDENT, _32_bare)[];
extern const char DEC_PASTE(__stop_hl_, DEC_IDENT, _32_bare)[];
extern const char DEC_PASTE(__start_hl_, DEC_IDENT, _8_pause)[];
extern const char DEC_PASTE(__stop_hl_, DEC_IDENT, _8_pause)[];
extern const char DEC_PASTE(__start_hl_, DEC_IDENT, _8_bare)[];
extern const char DEC_PASTE(__stop_hl_, DEC_IDENT, _8_bare)[];

static const struct lab_code code[2][2] = {
	{DEC_CODE(_32_pause), DEC_CODE(_32_bare)},
	{DEC_CODE(_8_pause), DEC_CODE(_8_bare)},
};

static void init(void *lock)
{
	*(int32_t *)lock = 1; /* little endian: its first byte is the 8-bit lock */
}

static const struct spinlock_ops own = {
	.lock_bytes = sizeof(int32_t),
	.init = init,
	.code = code,
};

#define DEC_RUN DEC_PASTE(run_, DEC_IDENT, _32_pause)
#define DEC_UNSUPPORTED NULL

#else

static const struct spinlock_ops own;

#define DEC_RUN NULL
#define DEC_UNSUPPORTED                                                                           \
	"the pair differs only in x86 code layout; this architecture has one form: dec"

#endif
