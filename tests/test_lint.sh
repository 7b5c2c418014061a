#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every rule of the lint fires on a small bad tree, and on that only.
. "$(dirname "$0")/lib.sh"

GPL='/* SPDX-License-Identifier: GPL-3.0-or-later */'
MIT='/* SPDX-License-Identifier: MIT */'

# A tree that breaks no rule: one instrument, one view, one writer, the lab.
tree()
{
	mkdir -p probes src/lab src/flow ui doc
	printf '%s\n' '# SPDX-License-Identifier: GPL-3.0-or-later' 'all:' >Makefile
	printf '%s\n' '# SPDX-License-Identifier: GPL-3.0-or-later' probes/page src/lab/main \
		src/flow/csv src/flow/model ui/term ui/view >doc/layers.txt
	printf '%s\n' '# SPDX-License-Identifier: GPL-3.0-or-later' \
		'license MIT probes/*' \
		'header *curses.h ui/term.c' \
		'symbol printf,puts,fwrite src/flow/csv' \
		'data * ui/term' \
		'apart src/lab/* ui/* src/flow/*' \
		'direct ui/view* probes/page' >doc/permits.txt
	printf '%s\n' "$MIT" 'int page_get(void);' >probes/page.h
	printf '%s\n' "$MIT" '#include "probes/page.h"' '' 'int page_get(void)' '{' \
		'	return 1;' '}' >probes/page.c
	printf '%s\n' "$GPL" '#include "probes/page.h"' >src/flow/model.h
	printf '%s\n' "$GPL" '#include <curses.h>' >ui/term.c
	printf '%s\n' "$GPL" '#include "src/flow/model.h"' >ui/view.c
	printf '%s\n' "$GPL" '#include "probes/page.h"' >src/lab/main.c
	printf '%s\n' "$GPL" '#include <stdio.h>' >src/flow/csv.c
}

lint()
{
	run "$tests/lint.sh" . objects
}

# finds REGEX: the lint finds that and nothing else.
finds()
{
	lint
	status_is 1
	is "$(wc -l <out)" 1 "findings ($out)"
	out_has "$1"
}

# object FILE: compiles one source of the tree.
object()
{
	mkdir -p "objects/$(dirname "$1")"
	"${CC:-cc}" -O1 -fPIC -I. -c -o "objects/${1%.c}.o" "$1" || fail "cannot compile $1"
}

test_clean_tree_when_linted_passes()
{
	tree
	lint
	status_is 0
	is "$out" "" findings
}

test_licence_line_when_missing_is_found()
{
	tree
	sed -i 1d ui/view.c
	finds '^ui/view.c:1: SPDX'
}

test_licence_when_gpl_in_probes_is_found()
{
	tree
	sed -i "1s|.*|$GPL|" probes/page.h
	finds '^probes/page.h:1: SPDX.*MIT expected.*found GPL'
}

test_include_of_higher_layer_is_found()
{
	tree
	printf '#include "ui/view.h"\n' >>ui/term.c
	printf '%s\n' "$GPL" >ui/view.h
	finds '^ui/term.c:3: ui/view.h is a higher layer'
}

test_module_when_unlisted_is_found()
{
	tree
	printf '%s\n' "$GPL" >src/new.c
	finds '^src/new.c:1: module src/new is not in doc/layers.txt'
}

test_module_when_listed_but_absent_is_found()
{
	tree
	echo src/old >>doc/layers.txt
	finds '^doc/layers.txt:8: module src/old does not exist'
}

test_module_when_listed_twice_is_found()
{
	tree
	echo ui/view >>doc/layers.txt
	finds '^doc/layers.txt:8: .*twice'
}

test_include_within_a_module_of_several_files_passes()
{
	tree
	sed -i 's|^ui/view$|ui/view ui/view_parts|' doc/layers.txt
	printf '%s\n' "$GPL" '#include "ui/view.h"' >ui/view_parts.h
	printf '%s\n' "$GPL" >ui/view.h
	printf '#include "ui/view_parts.h"\n' >>ui/view.c
	lint
	status_is 0
}

test_strangers_on_one_line_of_layers_are_found()
{
	tree
	sed -i '/^ui.term$/d; s|^ui/view$|ui/view ui/term|' doc/layers.txt
	finds '^doc/layers.txt:6: ui/term is no part of ui/view'
}

test_guarded_header_elsewhere_is_found()
{
	tree
	printf '#include <ncursesw/curses.h>\n' >>ui/view.c
	finds '^ui/view.c:3: header ncursesw/curses.h is not permitted'
}

test_test_header_in_program_is_found()
{
	tree
	printf '#include "tests/fixture.h"\n' >>ui/view.c
	finds '^ui/view.c:3: the program includes'
}

test_lab_reaching_flow_through_a_header_is_found()
{
	tree
	# The layers allow the detour; only the whole path is wrong.
	sed -i '/src.lab.main/d; $a src/bridge\nsrc/lab/main' doc/layers.txt
	printf '%s\n' "$GPL" '#include "src/flow/model.h"' >src/bridge.h
	printf '#include "src/bridge.h"\n' >>src/lab/main.c
	finds '^src/lab/main.c:3: .* must not reach src/flow/model.h, but does by src/bridge.h'
}

test_view_including_page_is_found_but_not_through_the_model()
{
	tree
	printf '#include "probes/page.h"\n' >>ui/view.c
	finds '^ui/view.c:3: ui/view.c must not reach probes/page.h'
}

test_file_when_too_long_is_found()
{
	tree
	yes '/* one more line */' | head -n 420 >>ui/view.c
	finds '^ui/view.c:422: 422 lines'
}

test_function_when_too_long_is_found()
{
	tree
	{
		printf 'int page_more(int x)\n{\n'
		yes '	x++;' | head -n 60
		printf '	return x;\n}\n'
	} >>probes/page.c
	finds '^probes/page.c:9: 61 lines in a function'
}

test_line_when_too_wide_is_found()
{
	tree
	printf '/* %093d */\n\t\t/* %080d */\n' 0 0 >>ui/view.c
	lint
	status_is 1
	is "$(cat out)" "ui/view.c:4: 102 columns, at most 100" findings
}

test_line_width_when_utf8_counts_characters()
{
	tree
	printf '/* ' >>ui/view.c
	for _ in $(seq 60); do printf '█'; done >>ui/view.c
	printf ' */\n' >>ui/view.c
	lint
	status_is 0
}

test_trailing_blank_is_found_in_documents_too()
{
	tree
	printf 'text \n' >doc/design.md
	finds '^doc/design.md:1: blank at the end'
}

test_printing_when_not_permitted_is_found()
{
	tree
	printf '#include <stdio.h>\nint page_say(void)\n{\n\treturn printf("%%d\\n", 1);\n}\n' \
		>>probes/page.c
	object probes/page.c
	finds '^probes/page.c:1: uses printf'
}

test_printing_when_permitted_passes()
{
	tree
	printf 'int csv_say(int n);\nint csv_say(int n)\n{\n\treturn printf("%%d\\n", n);\n}\n' \
		>>src/flow/csv.c
	object src/flow/csv.c
	lint
	status_is 0
}

test_mutable_variable_when_not_permitted_is_found()
{
	tree
	printf 'int page_calls;\n' >>probes/page.c
	object probes/page.c
	finds '^probes/page.c:1: mutable file-level variable page_calls'
}

test_mutable_static_in_a_function_is_found()
{
	tree
	printf 'int page_next(void)\n{\n\tstatic int n;\n\n\treturn n++;\n}\n' >>probes/page.c
	object probes/page.c
	finds '^probes/page.c:1: mutable file-level variable n,'
}

test_const_table_of_pointers_passes()
{
	tree
	printf 'static const char *const names[] = {"a", "b"};\n' >>probes/page.c
	printf 'const char *page_name(int i)\n{\n\treturn names[i];\n}\n' >>probes/page.c
	object probes/page.c
	lint
	status_is 0
}

test_layout_when_not_as_clang_format_says_is_found()
{
	command -v clang-format >/dev/null || skip "no clang-format here"
	tree
	cp "$root/.clang-format" .
	printf 'int  page_odd;\n' >>probes/page.c
	finds '^probes/page.c:8: not as clang-format'
}

test_defect_when_cppcheck_sees_it_is_found()
{
	command -v cppcheck >/dev/null || skip "no cppcheck here"
	tree
	printf 'int page_bad(void)\n{\n\tint a[2] = {0, 0};\n\n\treturn a[2];\n}\n' >>probes/page.c
	finds '^probes/page.c:12: .*arrayIndexOutOfBounds'
}

run_tests
