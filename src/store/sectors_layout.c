// The layout of records: members checked, offsets laid out, names and defaults kept.
#include <string.h>

#include "base/bits.h"
#include "schema/names.h"
#include "store/sectors.h"

// Bytes of a chunk where the desc does not say how many records it has: long enough that the call
// at its end is nothing, short enough to be given back.
#define SECTORS_CHUNK_SIZE ((size_t)64 << 10)

#define SECTORS_THRESHOLD 0.25

static size_t member_alignment(const cosm_container_member *member) {
    if (member->alignment != 0) {
        return member->alignment;
    }
    size_t alignment = 16;
    while (alignment > 1 && member->size % alignment != 0) {
        alignment /= 2;
    }
    return member->size == 0 ? 1 : alignment;
}

static cosm_result check_sector_member(const struct sink *sink, const char *call,
                                       const cosm_container_desc *desc, uint32_t index) {
    const cosm_container_member *member = &desc->members[index];
    cosm_result result = cosmi_name_check(sink, call, member->name);
    if (result != COSM_OK) {
        return result;
    }
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(desc->members[i].name, member->name) == 0) {
            return cosmi_fail(sink, COSM_ERROR_CONFLICT,
                              "%s: members %u and %u are both called %s; give each a unique name",
                              call, i, index, member->name);
        }
    }
    if (member->size > COSM_COMPONENT_SIZE_MAX) {
        return cosmi_fail(sink, COSM_ERROR_LIMIT,
                          "%s: member %s has %zu bytes, the limit is %u; store large data "
                          "elsewhere, and a pointer or an index here",
                          call, member->name, member->size, COSM_COMPONENT_SIZE_MAX);
    }
    if (member->alignment != 0 &&
        (!is_power_of_two(member->alignment) || member->alignment > COSM_COMPONENT_ALIGNMENT_MAX)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: member %s has alignment %zu; use a power of two up to %u", call,
                          member->name, member->alignment, COSM_COMPONENT_ALIGNMENT_MAX);
    }
    return COSM_OK;
}

static cosm_result check_sectors_desc(const struct sink *sink, const char *call,
                                      const cosm_container_desc *desc) {
    if (desc->member_count == 0 || desc->members == NULL) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: members is %s and member_count is %u; pass at least one member",
                          call, desc->members == NULL ? "NULL" : "given", desc->member_count);
    }
    if (desc->member_count > COSM_CONTAINER_MEMBER_MAX) {
        return cosmi_fail(sink, COSM_ERROR_LIMIT,
                          "%s: member_count is %u, the limit is %u; use several containers", call,
                          desc->member_count, COSM_CONTAINER_MEMBER_MAX);
    }
    if (desc->chunk_sectors != 0 &&
        (!is_power_of_two(desc->chunk_sectors) || desc->chunk_sectors > COSM_CONTAINER_CHUNK_MAX)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: chunk_sectors is %u; use a power of two up to %u, or zero", call,
                          desc->chunk_sectors, COSM_CONTAINER_CHUNK_MAX);
    }
    if (!(desc->threshold >= 0 && desc->threshold <= 1)) {
        return cosmi_fail(sink, COSM_ERROR_ARGUMENT,
                          "%s: threshold is %g; use a fraction from 0 to 1", call,
                          (double)desc->threshold);
    }
    if (desc->name != NULL) {
        cosm_result result = cosmi_name_check(sink, call, desc->name);
        if (result != COSM_OK) {
            return result;
        }
    }
    for (uint32_t i = 0; i < desc->member_count; i++) {
        cosm_result result = check_sector_member(sink, call, desc, i);
        if (result != COSM_OK) {
            return result;
        }
    }
    return COSM_OK;
}

// Where things lie in the block of a layout, counted before it is there.
struct layout_plan {
    size_t defaults[COSM_CONTAINER_MEMBER_MAX];
    size_t names[COSM_CONTAINER_MEMBER_MAX + 1]; // the last one is the container's
    size_t size;
    size_t alignment;
};

static void plan_sectors_layout(struct layout_plan *plan, const cosm_container_desc *desc,
                                const char *name) {
    plan->size = sizeof(struct sectors_layout) + desc->member_count * sizeof(struct sectors_member);
    plan->alignment = _Alignof(max_align_t);
    for (uint32_t i = 0; i < desc->member_count; i++) {
        // A default is as aligned as its member: hooks copy from it.
        size_t alignment = member_alignment(&desc->members[i]);
        plan->size = align_up(plan->size, alignment);
        plan->defaults[i] = plan->size;
        plan->size += desc->members[i].size;
        plan->alignment = alignment > plan->alignment ? alignment : plan->alignment;
    }
    for (uint32_t i = 0; i < desc->member_count; i++) {
        plan->names[i] = plan->size;
        plan->size += strlen(desc->members[i].name) + 1;
    }
    plan->names[desc->member_count] = plan->size;
    plan->size += strlen(name) + 1;
}

static void fill_sectors_member(struct sectors_layout *layout, const struct layout_plan *plan,
                                const cosm_container_member *member, uint32_t index) {
    char *block = (char *)layout;
    size_t alignment = member_alignment(member);
    uint64_t bit = COSM_CONTAINER_BIT(index);
    strcpy(block + plan->names[index], member->name);
    if (member->size != 0) {
        if (member->default_value != NULL) {
            memcpy(block + plan->defaults[index], member->default_value, member->size);
        } else {
            memset(block + plan->defaults[index], 0, member->size);
        }
    }
    layout->alignment = alignment > layout->alignment ? alignment : layout->alignment;
    layout->stride = align_up(layout->stride, alignment);
    layout->members[index] = (struct sectors_member){
        .name = block + plan->names[index],
        .default_value = block + plan->defaults[index],
        .has_default = member->default_value != NULL,
        .size = member->size,
        .offset = layout->stride,
        .lifecycle = member->lifecycle,
    };
    layout->stride += member->size;
    layout->all |= bit;
    layout->with_move |= member->lifecycle.move != NULL ? bit : 0;
    layout->with_destroy |= member->lifecycle.destroy != NULL ? bit : 0;
    bool is_copied = member->lifecycle.copy != NULL;
    layout->with_only_move |= member->lifecycle.move != NULL && !is_copied ? bit : 0;
    bool is_made = member->lifecycle.construct != NULL || is_copied;
    layout->with_make |= is_made ? bit : 0;
    bool is_small = member->size != 0 && member->size <= 16 && member->size % 4 == 0;
    layout->quick |= is_small && !is_made ? bit : 0;
}

struct sectors_layout *cosmi_sectors_layout_create(struct memory *memory, const struct sink *sink,
                                                   const char *call,
                                                   const cosm_container_desc *desc) {
    if (check_sectors_desc(sink, call, desc) != COSM_OK) {
        return NULL;
    }
    const char *name = desc->name == NULL ? "sectors" : desc->name;
    struct layout_plan plan;
    plan_sectors_layout(&plan, desc, name);
    struct sectors_layout *layout = cosmi_memory_alloc(memory, plan.size, plan.alignment);
    if (layout == NULL) {
        (void)cosmi_fail_memory(sink, memory, call);
        return NULL;
    }
    *layout = (struct sectors_layout){
        .memory = memory,
        .size = plan.size,
        .block_alignment = plan.alignment,
        .stride = sizeof(cosm_sector),
        .alignment = _Alignof(cosm_sector),
        .member_count = desc->member_count,
        .chunk_sectors = desc->chunk_sectors,
        .threshold = desc->threshold > 0 ? (double)desc->threshold : SECTORS_THRESHOLD,
    };
    for (uint32_t i = 0; i < desc->member_count; i++) {
        fill_sectors_member(layout, &plan, &desc->members[i], i);
    }
    layout->stride = align_up(layout->stride, layout->alignment);
    layout->name = strcpy((char *)layout + plan.names[desc->member_count], name);
    if (layout->chunk_sectors == 0) {
        size_t fit = SECTORS_CHUNK_SIZE / layout->stride;
        layout->chunk_sectors = fit == 0 ? 1 : (uint32_t)power_of_two_floor(fit);
    }
    return layout;
}

void cosmi_sectors_layout_free(struct sectors_layout *layout) {
    if (layout != NULL) {
        cosmi_memory_free(layout->memory, layout, layout->size, layout->block_alignment);
    }
}
