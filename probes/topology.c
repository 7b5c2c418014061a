/* SPDX-License-Identifier: MIT */
/*
 * Fills struct topology from hwloc and, for this machine, the kernel's own lists.
 *
 * hwloc's tree holds the CPUs that are online, disallowed ones included; an offline CPU has no
 * place in it, so it is known by its id only. The same holds for saved and synthetic machines:
 * what the source calls offline is cut out of the tree before it is read.
 * Source: hwloc 2 manual, "Object attributes" (cpusets) and hwloc/cpukinds.h;
 * Documentation/admin-guide/cputopology.rst of the kernel (present, online).
 */
#include "probes/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/cpulist.h"

/* Which CPUs there are; bits are kernel ids. */
struct cpu_sets {
	hwloc_bitmap_t present, online, allowed;
};

static int sets_init(struct cpu_sets *s)
{
	s->present = hwloc_bitmap_alloc();
	s->online = hwloc_bitmap_alloc();
	s->allowed = hwloc_bitmap_alloc();
	return s->present && s->online && s->allowed ? 0 : -ENOMEM;
}

static void sets_fini(struct cpu_sets *s)
{
	hwloc_bitmap_free(s->present);
	hwloc_bitmap_free(s->online);
	hwloc_bitmap_free(s->allowed);
}

/* Replaces @set by the list in a file of the kernel; leaves it alone if there is none. */
static void set_from_file(hwloc_bitmap_t set, const char *path)
{
	FILE *f = fopen(path, "re");
	hwloc_bitmap_t read = hwloc_bitmap_alloc();
	char *line = NULL;
	size_t size = 0;

	if (f && read && getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (hwloc_bitmap_list_sscanf(read, line) == 0 && !hwloc_bitmap_iszero(read))
			hwloc_bitmap_copy(set, read);
	}
	free(line);
	hwloc_bitmap_free(read);
	if (f)
		fclose(f);
}

/* Replaces @set by a list that a person wrote. */
static int set_from_list(hwloc_bitmap_t set, const char *list, struct err *e)
{
	int *id = malloc((CPULIST_ID_MAX + 1) * sizeof(*id));
	int count;

	if (!id)
		return -ENOMEM;
	count = cpulist_parse(list, id, CPULIST_ID_MAX + 1, e);
	hwloc_bitmap_zero(set);
	for (int i = 0; i < count; i++)
		hwloc_bitmap_set(set, (unsigned)id[i]);
	free(id);
	return count < 0 ? count : 0;
}

static const char *source_name(const struct topology_source *src)
{
	if (src && src->synthetic)
		return src->synthetic;
	return src && src->xml_path ? src->xml_path : "this machine";
}

static int tree_load(hwloc_topology_t tree, const struct topology_source *src, struct err *e)
{
	int rc = 0;

	if (src && src->synthetic) {
		rc = hwloc_topology_set_synthetic(tree, src->synthetic);
	} else if (src && src->xml_path) {
		if (access(src->xml_path, R_OK) != 0)
			return err_set(e, -errno, "topology: reading %.96s: %s", src->xml_path,
				       strerror(errno));
		rc = hwloc_topology_set_xml(tree, src->xml_path);
	}
	/* Without the flag, CPUs outside the cpuset would look as if they were offline. */
	hwloc_topology_set_flags(tree, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	if (rc != 0 || hwloc_topology_load(tree) != 0)
		return err_set(e, -EINVAL, "topology: hwloc cannot make sense of %.96s",
			       source_name(src));
	return 0;
}

/*
 * This machine: the kernel's lists, and the mask of this thread. hwloc asks for the mask with as
 * many bits as this kernel has, so machines beyond the 1024 CPUs of cpu_set_t are no exception.
 */
static int sets_live(struct cpu_sets *s, hwloc_topology_t tree)
{
	hwloc_bitmap_t mask = hwloc_bitmap_alloc();

	if (!mask)
		return -ENOMEM;
	set_from_file(s->online, "/sys/devices/system/cpu/online");
	set_from_file(s->present, "/sys/devices/system/cpu/present");
	hwloc_bitmap_and(s->allowed, s->online, hwloc_topology_get_allowed_cpuset(tree));
	if (hwloc_get_cpubind(tree, mask, HWLOC_CPUBIND_THREAD) == 0)
		hwloc_bitmap_and(s->allowed, s->allowed, mask);
	hwloc_bitmap_free(mask);
	return 0;
}

/* A saved or synthetic machine: the lists of the source; what is offline leaves the tree. */
static int sets_saved(struct cpu_sets *s, hwloc_topology_t tree, const struct topology_source *src,
		      struct err *e)
{
	hwloc_bitmap_t list = hwloc_bitmap_alloc();
	int rc = list ? 0 : -ENOMEM;

	if (!rc && src && src->offline_list) {
		rc = set_from_list(list, src->offline_list, e);
		hwloc_bitmap_andnot(s->online, s->online, list);
		if (!rc && hwloc_topology_restrict(tree, s->online, 0) != 0)
			rc = err_set(e, -EINVAL, "topology: offline CPUs %.64s leave none online",
				     src->offline_list);
	}
	hwloc_bitmap_copy(s->allowed, s->online);
	if (!rc && src && src->allowed_list) {
		rc = set_from_list(list, src->allowed_list, e);
		hwloc_bitmap_and(s->allowed, s->online, list);
	}
	hwloc_bitmap_free(list);
	return rc;
}

static int sets_read(struct cpu_sets *s, hwloc_topology_t tree, const struct topology_source *src,
		     struct err *e)
{
	hwloc_obj_t root = hwloc_get_root_obj(tree);
	int rc;

	hwloc_bitmap_copy(s->online, root->cpuset);
	hwloc_bitmap_copy(s->present, root->complete_cpuset);
	/* hwloc's own environment variables may have put another machine in place of this one. */
	if (hwloc_topology_is_thissystem(tree))
		rc = sets_live(s, tree);
	else
		rc = sets_saved(s, tree, src, e);
	hwloc_bitmap_or(s->present, s->present, s->online);
	return rc;
}

static int cpus_fill(struct topology *t, const struct cpu_sets *s, struct err *e)
{
	int count = hwloc_bitmap_weight(s->present);

	if (count <= 0)
		return err_set(e, -EINVAL, "topology: no CPU found");
	t->cpu = calloc((size_t)count, sizeof(*t->cpu));
	if (!t->cpu)
		return -ENOMEM;
	for (int id = hwloc_bitmap_first(s->present); id >= 0;
	     id = hwloc_bitmap_next(s->present, id)) {
		t->cpu[t->cpu_count++] = (struct topology_cpu){
			.cpu = id,
			.core = -1,
			.package = -1,
			.numa_node = -1,
			.llc = -1,
			.efficiency_kind = -1,
			.online = hwloc_bitmap_isset(s->online, (unsigned)id),
			.allowed = hwloc_bitmap_isset(s->allowed, (unsigned)id),
		};
	}
	t->online_count = (unsigned)hwloc_bitmap_weight(s->online);
	t->allowed_count = (unsigned)hwloc_bitmap_weight(s->allowed);
	return 0;
}

/* The index of kernel id @cpu in cpu[], -1 if there is none. */
static int index_of(const struct topology *t, int cpu)
{
	unsigned lo = 0, hi = t->cpu_count;

	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (t->cpu[mid].cpu < cpu)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < t->cpu_count && t->cpu[lo].cpu == cpu ? (int)lo : -1;
}

/* The data cache furthest from @pu, NULL if none is known; widens the line size on the way up. */
static hwloc_obj_t last_cache(hwloc_obj_t pu, unsigned *line_bytes)
{
	hwloc_obj_t last = NULL;

	for (hwloc_obj_t o = pu->parent; o; o = o->parent) {
		if (!hwloc_obj_type_is_dcache(o->type))
			continue;
		last = o;
		if (o->attr->cache.linesize > *line_bytes)
			*line_bytes = o->attr->cache.linesize;
	}
	return last;
}

static int index_above(hwloc_topology_t tree, hwloc_obj_type_t type, hwloc_obj_t pu)
{
	hwloc_obj_t o = hwloc_get_ancestor_obj_by_type(tree, type, pu);

	return o ? (int)o->logical_index : -1;
}

/*
 * Where each online CPU sits. Last-level caches are numbered as they come along the leaves of the
 * tree, not by hwloc's index within one level: in a hybrid machine they may be of different levels.
 */
static void places_fill(struct topology *t, hwloc_topology_t tree)
{
	hwloc_obj_t pu = NULL, previous = NULL;
	int llc_count = 0;

	while ((pu = hwloc_get_next_obj_by_type(tree, HWLOC_OBJ_PU, pu))) {
		int i = index_of(t, (int)pu->os_index);
		hwloc_obj_t cache = last_cache(pu, &t->line_bytes);
		struct topology_cpu *c;

		if (cache && cache != previous)
			llc_count++;
		if (cache)
			previous = cache;
		if (i < 0 || !t->cpu[i].online)
			continue;
		c = &t->cpu[i];
		c->core = index_above(tree, HWLOC_OBJ_CORE, pu);
		c->package = index_above(tree, HWLOC_OBJ_PACKAGE, pu);
		c->numa_node = hwloc_bitmap_first(pu->nodeset);
		c->llc = cache ? llc_count - 1 : -1;
	}
}

/* Ranks the hardware threads of each core by id, after places_fill(). */
static int ranks_fill(struct topology *t)
{
	int *next = calloc((size_t)t->core_count + 1, sizeof(*next));

	if (!next)
		return -ENOMEM;
	t->smt_per_core = 1;
	for (unsigned i = 0; i < t->cpu_count; i++) {
		struct topology_cpu *c = &t->cpu[i];

		if (c->core < 0)
			continue;
		c->smt_rank = next[c->core]++;
		if ((unsigned)next[c->core] > t->smt_per_core)
			t->smt_per_core = (unsigned)next[c->core];
	}
	free(next);
	return 0;
}

/* Kinds that hwloc cannot rank stay -1: their numbers would look like an order. */
static int kinds_fill(struct topology *t, hwloc_topology_t tree)
{
	int count = hwloc_cpukinds_get_nr(tree, 0);
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	if (!set)
		return -ENOMEM;
	for (int i = 0; count > 1 && i < count; i++) {
		int efficiency;

		if (hwloc_cpukinds_get_info(tree, (unsigned)i, set, &efficiency, NULL, NULL, 0) !=
		    0)
			continue;
		for (unsigned j = 0; j < t->cpu_count; j++) {
			if (t->cpu[j].online && hwloc_bitmap_isset(set, (unsigned)t->cpu[j].cpu))
				t->cpu[j].efficiency_kind = efficiency;
		}
	}
	hwloc_bitmap_free(set);
	return 0;
}

static unsigned objects_count(hwloc_topology_t tree, hwloc_obj_type_t type)
{
	int n = hwloc_get_nbobjs_by_type(tree, type);

	return n > 0 ? (unsigned)n : 0;
}

static int facts_fill(struct topology *t, hwloc_topology_t tree)
{
	int rc;

	t->package_count = objects_count(tree, HWLOC_OBJ_PACKAGE);
	t->core_count = objects_count(tree, HWLOC_OBJ_CORE);
	t->numa_count = objects_count(tree, HWLOC_OBJ_NUMANODE);
	places_fill(t, tree);
	if (!t->line_bytes && hwloc_topology_is_thissystem(tree)) {
		long line = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);

		t->line_bytes = line > 0 ? (unsigned)line : 0;
	}
	rc = ranks_fill(t);
	return rc ? rc : kinds_fill(t, tree);
}

int topology_init(struct topology *t, const struct topology_source *src, struct err *e)
{
	struct cpu_sets sets;
	hwloc_topology_t tree;
	int rc;

	memset(t, 0, sizeof(*t));
	if (hwloc_topology_init(&tree) != 0)
		return err_set(e, -ENOMEM, "topology: hwloc is out of memory");
	rc = sets_init(&sets);
	if (!rc)
		rc = tree_load(tree, src, e);
	if (!rc)
		rc = sets_read(&sets, tree, src, e);
	if (!rc)
		rc = cpus_fill(t, &sets, e);
	if (!rc)
		rc = facts_fill(t, tree);
	if (rc)
		topology_fini(t);
	if (rc == -ENOMEM)
		err_set(e, rc, "topology: out of memory");
	sets_fini(&sets);
	hwloc_topology_destroy(tree);
	return rc;
}

void topology_fini(struct topology *t)
{
	free(t->cpu);
	memset(t, 0, sizeof(*t));
}

const struct topology_cpu *topology_find(const struct topology *t, int cpu)
{
	int i = index_of(t, cpu);

	return i < 0 ? NULL : &t->cpu[i];
}
