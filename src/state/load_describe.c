// What a file says of itself, as text.
#include <stdarg.h>
#include <stdio.h>

#include "state/load.h"

// Kinds of blocks that are counted apart; all further ones count as one.
#define TAG_KIND_MAX 16u

struct tag_count {
    uint32_t tag;
    uint64_t blocks;
    uint64_t bytes;
    uint64_t stored;
};

struct describe_job {
    struct load_job *load;
    cosm_text_fn *write;
    void *target;
    struct tag_count tags[TAG_KIND_MAX];
    uint32_t tag_count;
};

static void report_line(struct describe_job *job, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

// Names come from outside: what is not to be printed is not.
static void report_line(struct describe_job *job, const char *format, ...) {
    char line[768];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    size_t size = length < 0                      ? 0
                  : (size_t)length < sizeof(line) ? (size_t)length
                                                  : sizeof(line) - 1;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)line[i];
        line[i] = (char)((c < 0x20 && c != '\n') || c == 0x7F ? '?' : c);
    }
    job->write(job->target, line, size);
}

static void count_block(struct describe_job *job, const struct block *block) {
    uint32_t i = 0;
    while (i < job->tag_count && i + 1 < TAG_KIND_MAX && job->tags[i].tag != block->head.tag) {
        i++;
    }
    if (i == job->tag_count) {
        job->tags[job->tag_count++] = (struct tag_count){.tag = block->head.tag};
    }
    job->tags[i].blocks++;
    job->tags[i].bytes += block->size;
    job->tags[i].stored += block->stored_size;
}

static void report_field(struct describe_job *job, const cosm_field *field) {
    char dims[COSM_FIELD_DIM_MAX * 13 + 1] = "";
    size_t at = 0;
    for (uint32_t d = 0; d < COSM_FIELD_DIM_MAX && field->dims[d] != 0; d++) {
        at += (size_t)snprintf(dims + at, sizeof(dims) - at, "[%u]", field->dims[d]);
    }
    report_line(job, "    %s %s%s at %u", field->name, cosm_field_type_name(field->type), dims,
                field->offset);
    if (field->labels != NULL) {
        report_line(job, ", %u labels", field->labels->count);
    }
    report_line(job, "\n");
}

static void report_type(struct describe_job *job, const struct file_type *file) {
    static const char *const storages[] = {"column", "shared", "managed", "sector"};
    if (file->is_singleton) {
        report_line(job, "singleton %s: %u bytes\n", file->name, file->size);
    } else {
        report_line(job, "component %s: %u bytes, %s%s\n", file->name, file->size,
                    storages[(unsigned)file->storage % 4], file->is_object ? ", objects" : "");
    }
    for (uint32_t i = 0; i < file->field_count; i++) {
        report_field(job, &file->fields[i]);
    }
}

static void report_schema(struct describe_job *job) {
    const struct load_job *load = job->load;
    for (uint32_t i = 0; i < load->type_count; i++) {
        report_type(job, &load->files[i]);
    }
    for (uint32_t i = 0; i < load->set_count; i++) {
        const struct load_set *set = &load->sets[i];
        report_line(job, "%s", set->temporary ? "temporary archetype" : "archetype");
        for (uint32_t m = 0; m < set->member_count; m++) {
            report_line(job, "%s %s", m == 0 ? "" : ",", load->files[set->members[m].type].name);
        }
        report_line(job, set->member_count == 0 ? " without components\n" : "\n");
    }
    for (uint32_t i = 0; i < load->group_count; i++) {
        report_line(job, "sector group");
        for (uint32_t m = 0; m < load->groups[i].member_count; m++) {
            report_line(job, "%s %s", m == 0 ? "" : ",",
                        load->files[load->groups[i].types[m]].name);
        }
        report_line(job, "\n");
    }
}

static cosm_result describe_block(struct describe_job *job, struct block *block) {
    struct load_job *load = job->load;
    count_block(job, block);
    if (block->head.tag == TAG_SCHEMA && load->files == NULL) {
        load->schema_block = *block;
        *block = (struct block){.number = 0};
        cosm_result result = cosmi_load_schema(load);
        if (result == COSM_OK) {
            report_schema(job);
        }
        return result;
    }
    if (block->head.tag == TAG_SNAPSHOT) {
        struct byte_reader in = reader_of(block->bytes, block->size);
        uint64_t step = cosmi_read_u64(&in);
        uint64_t seed = cosmi_read_u64(&in);
        report_line(job, "worlds: %llu, entities: %llu, step %llu, seed %llu\n",
                    (unsigned long long)block->head.values[0],
                    (unsigned long long)block->head.values[1], (unsigned long long)step,
                    (unsigned long long)seed);
    }
    return COSM_OK;
}

static cosm_result describe_all(struct describe_job *job) {
    struct block_reader *blocks = &job->load->blocks;
    cosm_result result = cosmi_blocks_open(blocks, COSM_SAVE_FORMAT);
    if (result != COSM_OK) {
        return result;
    }
    report_line(job, "save file, format %u, %zu bytes, codec %s\n", blocks->format, blocks->size,
                blocks->codec_name[0] == '\0' ? "none" : blocks->codec_name);
    while (result == COSM_OK) {
        struct block block;
        result = cosmi_blocks_next(blocks, &block);
        if (result == COSM_OK && blocks->is_finished) {
            break;
        }
        result = result == COSM_OK ? describe_block(job, &block) : result;
        cosmi_block_release(&block);
    }
    for (uint32_t i = 0; result == COSM_OK && i < job->tag_count; i++) {
        char text[5];
        cosmi_block_tag_text(job->tags[i].tag, text);
        report_line(job, "blocks %s: %llu, %llu bytes, %llu stored\n", text,
                    (unsigned long long)job->tags[i].blocks, (unsigned long long)job->tags[i].bytes,
                    (unsigned long long)job->tags[i].stored);
    }
    return result;
}

cosm_result cosmi_load_describe(const struct load_order *order, cosm_text_fn *write, void *target) {
    struct load_job load = {.order = order,
                            .blocks = {.bytes = order->bytes,
                                       .size = order->size,
                                       .codecs = order->desc->codecs,
                                       .codec_count = order->desc->codec_count,
                                       .memory = order->memory,
                                       .sink = order->sink,
                                       .call = order->call}};
    load.convert = (struct convert_job){.schema = order->schema,
                                        .call = order->call,
                                        .arena = &load.arena,
                                        .desc = order->desc,
                                        .report = order->report};
    struct describe_job job = {.load = &load, .write = write, .target = target};
    cosmi_arena_init(&load.arena, order->memory);
    cosm_result result = describe_all(&job);
    cosmi_block_release(&load.schema_block);
    cosmi_arena_free(&load.arena);
    return result;
}
