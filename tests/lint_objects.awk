# SPDX-License-Identifier: GPL-3.0-or-later
#
# The object half of the lint: who prints, who exits, who keeps mutable variables.
#
#   awk -f tests/lint_objects.awk PERMITS FACTS
#
# FACTS: one "MODULE symbol NAME" a reference of an object, one "MODULE data NAME" a writable
# variable. Prints one finding a line as file:line: text.

function glob(pattern)
{
	gsub(/[.+?()]/, "\\\\&", pattern)
	gsub(/\*/, ".*", pattern)
	return "^" pattern "$"
}

FNR == 1 { nth++ }

# symbol NAME,NAME... MODULE... ; data NAME MODULE...
nth == 1 && ($1 == "symbol" || $1 == "data") {
	n = split($2, names, ",")
	for (i = 1; i <= n; i++) {
		permit_kind[++permit_count] = $1
		permit_name[permit_count] = glob(names[i])
		who = glob($3)
		for (k = 4; k <= NF; k++)
			who = who "|" glob($k)
		permit_who[permit_count] = who
	}
}

# Fortified builds call __printf_chk for printf; a static in a function is called name.number.
nth == 2 {
	name = $3
	sub(/^__/, "", name)
	sub(/_chk$/, "", name)
	sub(/^_IO_/, "", name)
	if ($2 == "data")
		sub(/\.[0-9]+$/, "", name)
	guarded = $2 == "data"
	allowed = 0
	for (i = 1; i <= permit_count; i++) {
		if (permit_kind[i] != $2 || name !~ permit_name[i])
			continue
		guarded = 1
		if ($1 ~ permit_who[i])
			allowed = 1
	}
	if (guarded && !allowed)
		print $1 ".c:1: " ($2 == "data" ? "mutable file-level variable " : "uses ") name \
			", not permitted here"
}
