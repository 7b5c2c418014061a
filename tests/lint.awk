# SPDX-License-Identifier: GPL-3.0-or-later
#
# The text half of the lint: licence lines, sizes, layout of text, and the include graph.
#
#   awk -f tests/lint.awk LAYERS PERMITS FILE...
#
# Prints one finding a line as file:line: text. Plain awk, no extensions: mawk runs it. Run it with
# LC_ALL=C: columns are counted from UTF-8 bytes here.

BEGIN {
	MAX_COLUMNS = 100
	MAX_LINES = 420
	MAX_FUNCTION = 60
}

function say(file, line, text)
{
	print file ":" line ": " text
}

# A shell pattern in which * crosses slashes, as an anchored regular expression.
function glob(pattern)
{
	gsub(/[.+?()]/, "\\\\&", pattern)
	gsub(/\*/, ".*", pattern)
	return "^" pattern "$"
}

# "src/flow/csv.c" and "src/flow/csv.h" are the module "src/flow/csv".
function module(file)
{
	sub(/\.[ch]$/, "", file)
	return file
}

function is_c(file)
{
	return file ~ /\.[ch]$/
}

function is_code(file)
{
	return is_c(file) || file ~ /\.(sh|awk)$/ || file ~ /(^|\/)(Makefile|run)$/
}

# Only what the program is made of has a layer and needs permits; tests may include everything.
function is_layered(file)
{
	return is_c(file) && file ~ /^(probes|src|ui)\//
}

# Width on the screen: a tab reaches to the next multiple of 8, UTF-8 continuation bytes take none.
function columns(text,   n, i, parts, width)
{
	gsub(/[\200-\277]/, "", text)
	n = split(text, parts, "\t")
	for (i = 1; i <= n; i++) {
		width += length(parts[i])
		if (i < n)
			width += 8 - width % 8
	}
	return width
}

function file_begin(file)
{
	files[++file_count] = file
	spdx = ""
	body_line = 0
}

function file_end(file, lines,   want, i)
{
	if (is_code(file) || file ~ /(layers|permits)\.txt$/) {
		want = "GPL-3.0-or-later"
		for (i = 1; i <= license_count; i++)
			if (file ~ license_files[i])
				want = license_name[i]
		if (spdx != want)
			say(file, 1, "SPDX-License-Identifier: " want " expected in the first " \
				"lines" (spdx == "" ? "" : ", found " spdx))
	}
	if (is_code(file) && lines > MAX_LINES)
		say(file, lines, lines " lines, at most " MAX_LINES ": split by noun")
}

function text_check()
{
	if (FNR <= 3 && match($0, /SPDX-License-Identifier: [A-Za-z0-9.-]+/))
		spdx = substr($0, RSTART + 25, RLENGTH - 25)
	if ($0 ~ /[ \t\r]$/)
		say(FILENAME, FNR, "blank at the end of the line")
	if (is_code(FILENAME) && columns($0) > MAX_COLUMNS)
		say(FILENAME, FNR, columns($0) " columns, at most " MAX_COLUMNS)
}

# A function's braces are the only ones that stand alone in the first column.
function function_check()
{
	if ($0 == "{") {
		body_line = FNR
	} else if ($0 == "}" && body_line) {
		if (FNR - body_line - 1 > MAX_FUNCTION)
			say(FILENAME, body_line, FNR - body_line - 1 " lines in a function, " \
				"at most " MAX_FUNCTION)
		body_line = 0
	}
}

function include_record(   name)
{
	if (!match($0, /^[ \t]*#[ \t]*include[ \t]*["<][^">]+[">]/))
		return
	name = $0
	sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", name)
	sub(/[">].*$/, "", name)
	edge_from[++edge_count] = FILENAME
	edge_to[edge_count] = name
	edge_line[edge_count] = FNR
	out_edges[FILENAME] = out_edges[FILENAME] " " edge_count
}

# A line with several names is one module in several files; the first is its name.
function layer_read(   i)
{
	if ($0 ~ /^[ \t]*(#|$)/)
		return
	for (i = 1; i <= NF; i++) {
		if ($i in rank)
			say(FILENAME, FNR, "module " $i " is listed twice")
		if (index($i, $1) != 1)
			say(FILENAME, FNR, $i " is no part of " $1 ": a line of its own")
		rank[$i] = FNR
	}
}

function permit_read(   i, who)
{
	if ($0 ~ /^[ \t]*(#|$)/)
		return
	who = ""
	for (i = 3; i <= NF; i++)
		who = who (i > 3 ? "|" : "") glob($i)
	if ($1 == "license") {
		license_name[++license_count] = $2
		license_files[license_count] = who
	} else if ($1 == "header") {
		guard_header[++guard_count] = glob($2)
		guard_files[guard_count] = who
	} else if ($1 == "apart" || $1 == "direct") {
		apart_from[++apart_count] = glob($2)
		apart_to[apart_count] = who
		apart_through[apart_count] = $1 == "apart"
	} else if ($1 != "symbol" && $1 != "data") {
		say(FILENAME, FNR, "unknown kind of permit '" $1 "'")
	}
}

function edge_check(e,   from, to, i)
{
	from = edge_from[e]
	to = edge_to[e]
	if (!is_layered(from))
		return
	for (i = 1; i <= guard_count; i++)
		if (to ~ guard_header[i] && from !~ guard_files[i])
			say(from, edge_line[e], "header " to " is not permitted here")
	if (to ~ /^tests\//)
		say(from, edge_line[e], "the program includes a test's header, " to)
	if (!is_layered(to) || module(from) == module(to))
		return
	if ((module(from) in rank) && (module(to) in rank) && rank[module(to)] > rank[module(from)])
		say(from, edge_line[e], to " is a higher layer than " module(from))
}

# Follows includes from file, whose own first step is at first_line; seen[] stops repeats.
function reach(file, top, first_line, rule,   n, i, list, to, line)
{
	n = split(out_edges[file], list, " ")
	for (i = 1; i <= n; i++) {
		to = edge_to[list[i]]
		line = first_line ? first_line : edge_line[list[i]]
		if (to in seen)
			continue
		seen[to] = 1
		if (module(to) ~ apart_to[rule])
			say(top, line, top " must not reach " to \
				(file == top ? "" : ", but does by " file))
		else if (apart_through[rule])
			reach(to, top, line, rule)
	}
}

function apart_check(file,   i, k)
{
	for (i = 1; i <= apart_count; i++) {
		if (file !~ apart_from[i])
			continue
		for (k in seen)
			delete seen[k]
		reach(file, file, 0, i)
	}
}

function layers_check(   i, m)
{
	for (i = 1; i <= file_count; i++) {
		if (!is_layered(files[i]))
			continue
		m = module(files[i])
		exists[m] = 1
		if (!(m in rank) && !(m in told)) {
			say(files[i], 1, "module " m " is not in " layers_name)
			told[m] = 1
		}
	}
	for (m in rank)
		if (!(m in exists))
			say(layers_name, rank[m], "module " m " does not exist")
}

FNR == 1 {
	if (last_file != "")
		file_end(last_file, last_line)
	nth++
	file_begin(FILENAME)
	last_file = FILENAME
	if (nth == 1)
		layers_name = FILENAME
}

{
	last_line = FNR
	text_check()
}

nth == 1 { layer_read() }
nth == 2 { permit_read() }

nth > 2 && is_c(FILENAME) {
	function_check()
	include_record()
}

END {
	if (last_file != "")
		file_end(last_file, last_line)
	for (e = 1; e <= edge_count; e++)
		edge_check(e)
	for (f = 1; f <= file_count; f++)
		apart_check(files[f])
	layers_check()
}
