// Exchanges: copies made beforehand, moved in or ended.
#include "state/exchange.h"

#include <string.h>

#include "base/bits.h"
#include "base/check.h"

static size_t stays_size(const struct exchange *exchange) {
    return ((size_t)exchange->count + 63) / 64 * sizeof(uint64_t);
}

static size_t copies_size(const struct exchange *exchange) {
    return exchange->copy_count * sizeof(struct pending_copy);
}

bool cosmi_exchange_begin(struct exchange *exchange, struct memory *memory, uint32_t count) {
    *exchange = (struct exchange){.memory = memory, .count = count, .aside_alignment = 16};
    if (count > 0) {
        exchange->stays = cosmi_memory_alloc_zeroed(memory, stays_size(exchange), sizeof(uint64_t));
    }
    return count == 0 || exchange->stays != NULL;
}

void cosmi_exchange_look(struct exchange *exchange, uint32_t index, const struct object *wanted,
                         const void *now) {
    INVARIANT(index < exchange->count, "a place is one of those that were counted");
    if (wanted == NULL) {
        return;
    }
    if (now != NULL && cosmi_object_is(wanted, now)) {
        exchange->stays[index / 64] |= (uint64_t)1 << (index % 64);
        return;
    }
    exchange->copy_count++;
    if (now != NULL) {
        const struct value_type *type = wanted->type;
        exchange->aside_size = align_up(exchange->aside_size, type->alignment) + type->size;
        if (type->alignment > exchange->aside_alignment) {
            exchange->aside_alignment = type->alignment;
        }
    }
}

bool cosmi_exchange_room(struct exchange *exchange) {
    if (exchange->copy_count > 0) {
        exchange->copies = cosmi_memory_alloc(exchange->memory, copies_size(exchange),
                                              _Alignof(struct pending_copy));
    }
    // Objects may have no bytes.
    if (exchange->aside_size > 0) {
        exchange->aside =
            cosmi_memory_alloc(exchange->memory, exchange->aside_size, exchange->aside_alignment);
    }
    return (exchange->copy_count == 0 || exchange->copies != NULL) &&
           (exchange->aside_size == 0 || exchange->aside != NULL);
}

cosm_result cosmi_exchange_make(struct exchange *exchange, const struct sink *sink,
                                const char *call, uint32_t index, const struct object *wanted,
                                void *place, bool is_taken) {
    if (wanted == NULL || exchange_stays(exchange, index)) {
        return COSM_OK;
    }
    INVARIANT(exchange->made_count < exchange->copy_count, "room was made for every copy");
    const struct value_type *type = wanted->type;
    void *made = place;
    if (is_taken && type->size > 0) {
        size_t at = align_up(exchange->aside_used, type->alignment);
        INVARIANT(at + type->size <= exchange->aside_size, "there is room aside");
        made = exchange->aside + at;
        exchange->aside_used = at + type->size;
    }
    cosm_result result = cosmi_object_copy_to(sink, call, type, wanted->bytes, made);
    if (result == COSM_OK) {
        exchange->copies[exchange->made_count++] = (struct pending_copy){type, made, place};
    }
    return result;
}

static void exchange_free(struct exchange *exchange) {
    if (exchange->stays != NULL) {
        cosmi_memory_free(exchange->memory, exchange->stays, stays_size(exchange),
                          sizeof(uint64_t));
    }
    if (exchange->copies != NULL) {
        cosmi_memory_free(exchange->memory, exchange->copies, copies_size(exchange),
                          _Alignof(struct pending_copy));
    }
    if (exchange->aside != NULL) {
        cosmi_memory_free(exchange->memory, exchange->aside, exchange->aside_size,
                          exchange->aside_alignment);
    }
    *exchange = (struct exchange){.count = 0};
}

void cosmi_exchange_finish(struct exchange *exchange) {
    INVARIANT(exchange->made_count == exchange->copy_count, "all copies were made");
    for (uint32_t i = 0; i < exchange->made_count; i++) {
        const struct pending_copy *copy = &exchange->copies[i];
        const cosm_lifecycle *lifecycle = &copy->type->lifecycle;
        if (copy->made == copy->place) {
            continue;
        }
        if (lifecycle->move != NULL) {
            lifecycle->move(lifecycle->context, copy->place, copy->made);
        } else {
            memcpy(copy->place, copy->made, copy->type->size);
        }
    }
    exchange_free(exchange);
}

void cosmi_exchange_cancel(struct exchange *exchange) {
    for (uint32_t i = 0; i < exchange->made_count; i++) {
        const cosm_lifecycle *lifecycle = &exchange->copies[i].type->lifecycle;
        if (lifecycle->destroy != NULL) {
            lifecycle->destroy(lifecycle->context, exchange->copies[i].made);
        }
    }
    exchange_free(exchange);
}
