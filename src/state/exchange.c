// Exchanges: copies made beforehand, moved in or ended.
#include "state/exchange.h"

#include <string.h>

#include "base/check.h"

static size_t stays_size(const struct exchange *exchange) {
    return ((size_t)exchange->count + 63) / 64 * sizeof(uint64_t);
}

static size_t arrivals_size(const struct exchange *exchange) {
    return exchange->arrival_count * sizeof(struct arrival);
}

static size_t aside_size(const struct exchange *exchange) {
    return (size_t)exchange->aside_count * exchange->type->size;
}

static size_t aside_alignment(const struct exchange *exchange) {
    return exchange->type->alignment < 16 ? 16 : exchange->type->alignment;
}

bool cosmi_exchange_begin(struct exchange *exchange, struct memory *memory,
                          const struct value_type *type, uint32_t count) {
    *exchange = (struct exchange){.type = type, .memory = memory, .count = count};
    if (count > 0) {
        exchange->stays = cosmi_memory_take_zeroed(memory, stays_size(exchange), sizeof(uint64_t));
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
    exchange->arrival_count++;
    exchange->aside_count += now != NULL;
}

bool cosmi_exchange_room(struct exchange *exchange) {
    if (exchange->arrival_count > 0) {
        exchange->arrivals =
            cosmi_memory_take(exchange->memory, arrivals_size(exchange), _Alignof(struct arrival));
    }
    // Objects may have no bytes.
    if (aside_size(exchange) > 0) {
        exchange->aside =
            cosmi_memory_take(exchange->memory, aside_size(exchange), aside_alignment(exchange));
    }
    return (exchange->arrival_count == 0 || exchange->arrivals != NULL) &&
           (aside_size(exchange) == 0 || exchange->aside != NULL);
}

cosm_result cosmi_exchange_make(struct exchange *exchange, const struct sink *sink,
                                const char *call, uint32_t index, const struct object *wanted,
                                void *place, bool is_taken) {
    if (wanted == NULL || exchange_stays(exchange, index)) {
        return COSM_OK;
    }
    INVARIANT(exchange->made_count < exchange->arrival_count, "room was made for every copy");
    void *made = place;
    if (is_taken && exchange->type->size > 0) {
        INVARIANT(exchange->aside_made < exchange->aside_count, "there is room aside");
        made = exchange->aside + (size_t)exchange->aside_made * exchange->type->size;
        exchange->aside_made++;
    }
    cosm_result result = cosmi_object_copy_to(sink, call, exchange->type, wanted->bytes, made);
    if (result == COSM_OK) {
        exchange->arrivals[exchange->made_count++] = (struct arrival){made, place};
    }
    return result;
}

static void exchange_free(struct exchange *exchange) {
    if (exchange->stays != NULL) {
        cosmi_memory_give(exchange->memory, exchange->stays, stays_size(exchange),
                          sizeof(uint64_t));
    }
    if (exchange->arrivals != NULL) {
        cosmi_memory_give(exchange->memory, exchange->arrivals, arrivals_size(exchange),
                          _Alignof(struct arrival));
    }
    if (exchange->aside != NULL) {
        cosmi_memory_give(exchange->memory, exchange->aside, aside_size(exchange),
                          aside_alignment(exchange));
    }
    *exchange = (struct exchange){.count = 0};
}

void cosmi_exchange_finish(struct exchange *exchange) {
    INVARIANT(exchange->made_count == exchange->arrival_count, "all copies were made");
    for (uint32_t i = 0; i < exchange->made_count; i++) {
        const struct arrival *arrival = &exchange->arrivals[i];
        const cosm_lifecycle *lifecycle = &exchange->type->lifecycle;
        if (arrival->made == arrival->place) {
            continue;
        }
        if (lifecycle->move != NULL) {
            lifecycle->move(lifecycle->context, arrival->place, arrival->made);
        } else {
            memcpy(arrival->place, arrival->made, exchange->type->size);
        }
    }
    exchange_free(exchange);
}

void cosmi_exchange_cancel(struct exchange *exchange) {
    for (uint32_t i = 0; i < exchange->made_count; i++) {
        const cosm_lifecycle *lifecycle = &exchange->type->lifecycle;
        if (lifecycle->destroy != NULL) {
            lifecycle->destroy(lifecycle->context, exchange->arrivals[i].made);
        }
    }
    exchange_free(exchange);
}
