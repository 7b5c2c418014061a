/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A made-up lab, as `hotline-lab --describe` would print it, for tests of all that reads it.
 */
#ifndef HOTLINE_TESTS_DESCRIBED_H
#define HOTLINE_TESTS_DESCRIBED_H

#define DESCRIBED_HEAD "hotline-lab 1\n"

/* 1 to 16 threads, default 2; variant 2 runs nowhere; width only for a and b. */
#define DESCRIBED_FIGHT                                                                            \
	"workload\tfight\ttwo threads, one lock\tone acquisition\t1\t2\t16\t1\n"                   \
	"role\tlock\t1\n"                                                                          \
	"knob\thold_ns\tint\tns\t0\t100\t0\t1000000\t-\t-\twork inside the lock\n"                 \
	"knob\tthink_ns\tint\tns\t0\t200\t0\t1000000\t-\t-\twork outside\n"                        \
	"knob\twidth\tchoice\tbits\t32\t-\t0\t0\t32|8\ta,b\tsize of the word\n"                    \
	"knob\tfile\ttext\t-\t-\t-\t0\t0\t-\t-\ta path\n"                                          \
	"variant\ta\t1\t1\t-\tthe first\n"                                                         \
	"variant\tb\t1\t1\t-\tthe second\n"                                                        \
	"variant\tghost\t1\t0\tno such instruction here\tthe third\n"                              \
	"variant\tticket\t1\t1\t-\tfirst come, first served\n"                                     \
	"variant\tnull\t0\t1\t-\tno lock\n"

/* One thread per CPU, at least 2; chooses its CPUs; its first variant runs nowhere. */
#define DESCRIBED_FIXED                                                                            \
	"workload\tfixed\tchooses its own CPUs\tone round trip\t2\t0\t8\t0\n"                      \
	"role\tgiant\t1\n"                                                                         \
	"role\tcred\t0\n"                                                                          \
	"variant\tghost\t1\t0\tno such call here\tthe first\n"                                     \
	"variant\tplain\t1\t1\t-\tthe second\n"

#endif
