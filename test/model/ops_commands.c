// Operations that record commands. apply.c works out what applying them does.
#include "state.h"

#include <string.h>

// A commands object of ours, made when the slot is free. NULL when there is no memory for one.
struct commands *pick_commands(struct model *m) {
    struct commands *commands = &m->commands[pick(m, MODEL_COMMANDS_MAX)];
    if (!commands->library) {
        say(m, "cosm_commands_create(), object %u", (unsigned)(commands - m->commands));
        commands->library = cosm_commands_create(m->batch);
        commands->count = 0;
        commands->failed = COSM_OK;
        if (settle(m, made(m, commands->library != NULL), 0, 0, 0) != COSM_OK) {
            return NULL;
        }
    }
    return commands->count < MODEL_COMMAND_MAX ? commands : NULL;
}

// A handle for a command: often one that an earlier command of the same object is about.
cosm_entity pick_target(struct model *m, const struct commands *commands, uint32_t world) {
    bool again = pick(m, 2) == 1;
    uint32_t start = draw(m, commands->count);
    for (uint32_t i = 0; again && i < commands->count; i++) {
        const struct command *command = &commands->list[(start + i) % commands->count];
        if (command->kind != COMMAND_EMIT && command->world == world) {
            return command->entity;
        }
    }
    return pick_entity(m, world);
}

// Remembers a recorded command and checks the count.
void record(struct model *m, struct commands *commands, const struct command *command) {
    commands->list[commands->count++] = *command;
    if (cosm_commands_count(commands->library) != commands->count) {
        fail(m, "the object holds %u commands instead of %u",
             cosm_commands_count(commands->library), commands->count);
    }
}

cosm_result settle_record(struct model *m, struct commands *commands, cosm_result got,
                          uint32_t must, uint32_t touches) {
    if (got != COSM_OK && commands->failed == COSM_OK) {
        commands->failed = got;
    }
    return settle(m, got, must, 0, touches);
}

void op_commands_spawn(struct model *m) {
    struct commands *commands = pick_commands(m);
    struct place place = pick_place(m);
    struct choice choice = pick_archetype(m);
    const struct archetype *archetype = choice_archetype(m, choice);
    struct values values;
    pick_values(m, archetype, &values);
    if (!commands || !spawn_fits(m, place, choice)) {
        return;
    }
    take_row_values(m, place, &values);
    bool good = place_is_good(place) && archetype && !archetype->temporary && !values.strange;
    uint32_t must = good ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    say(m, "cosm_commands_spawn%s(object %u, world %u, archetype %u, %u values)",
        values.count > 0 ? "_with" : "", (unsigned)(commands - m->commands), place.index,
        choice.id.id, values.count);
    cosm_entity entity = values.count > 0
                             ? cosm_commands_spawn_with(commands->library, place.world, choice.id,
                                                        values.list, values.count)
                             : cosm_commands_spawn(commands->library, place.world, choice.id);
    cosm_result got = made(m, !cosm_entity_is_none(entity));
    if (settle_record(m, commands, got, must, 1u << place.index) != COSM_OK) {
        return;
    }
    // A recorded spawn takes an id, in an order that the headers leave open.
    m->o.worlds[place.index].fresh = false;
    take_handle(m, place.index, entity);
    if (cosm_entity_is_alive(place.world, entity)) {
        fail(m, "a recorded spawn is alive before it is applied");
    }
    struct command command = {.kind = COMMAND_SPAWN,
                              .world = place.index,
                              .entity = entity,
                              .set = archetype->set | values.beside,
                              .value_count = values.count};
    memcpy(command.bits, values.bits, values.count * sizeof(values.bits[0]));
    memcpy(command.values, values.numbers, values.count * sizeof(values.numbers[0]));
    record(m, commands, &command);
}

void op_commands_emit(struct model *m) {
    struct commands *commands = pick_commands(m);
    struct place place = pick_place(m);
    struct choice choice = pick_archetype(m);
    // Most archetypes are not temporary: take the next one that is.
    for (uint32_t i = 0; i < m->o.archetype_count && choice.index != 0xFFFFFFFFu; i++) {
        if (choice_archetype(m, choice)->temporary || rarely(m, 24)) {
            break;
        }
        choice.index = (choice.index + 1) % m->o.archetype_count;
        choice.id = m->o.archetypes[choice.index].id;
    }
    const struct archetype *archetype = choice_archetype(m, choice);
    struct values values;
    pick_values(m, archetype, &values);
    if (!commands || !spawn_fits(m, place, choice)) {
        return;
    }
    say(m, "cosm_commands_emit(object %u, world %u, archetype %u, %u values)",
        (unsigned)(commands - m->commands), place.index, choice.id.id, values.count);
    bool good = place_is_good(place) && archetype && archetype->temporary && !values.strange;
    uint32_t must = good ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    cosm_result got =
        cosm_commands_emit(commands->library, place.world, choice.id, values.list, values.count);
    if (settle_record(m, commands, got, must, 0) != COSM_OK) {
        return;
    }
    struct command command = {.kind = COMMAND_EMIT,
                              .world = place.index,
                              .set = archetype->set,
                              .value_count = values.count};
    memcpy(command.bits, values.bits, values.count * sizeof(values.bits[0]));
    memcpy(command.values, values.numbers, values.count * sizeof(values.numbers[0]));
    record(m, commands, &command);
}

void op_commands_despawn(struct model *m) {
    struct commands *commands = pick_commands(m);
    struct place place = pick_place(m);
    if (!commands) {
        return;
    }
    cosm_entity entity = pick_target(m, commands, place.index);
    say(m, "cosm_commands_despawn(object %u, world %u, {gen %u, id %u})",
        (unsigned)(commands - m->commands), place.index, entity.gen, entity.id);
    uint32_t must = place_is_good(place) ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    cosm_result got = cosm_commands_despawn(commands->library, place.world, entity);
    if (settle_record(m, commands, got, must, 0) == COSM_OK) {
        struct command command = {.kind = COMMAND_DESPAWN, .world = place.index, .entity = entity};
        record(m, commands, &command);
    }
}

static void record_change(struct model *m, struct commands *commands, struct place place,
                          cosm_entity entity, struct part part, bool adds) {
    if (commands->count == MODEL_COMMAND_MAX) {
        return;
    }
    say(m, "cosm_commands_%s(object %u, world %u, {gen %u, id %u}, %s)", adds ? "add" : "remove",
        (unsigned)(commands - m->commands), place.index, entity.gen, entity.id,
        part.kind ? part.kind->name : "an unknown component");
    bool good = place_is_good(place) && part.kind;
    uint32_t must = good ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    cosm_error_clear();
    cosm_result got = adds ? cosm_commands_add(commands->library, place.world, entity, part.id)
                           : cosm_commands_remove(commands->library, place.world, entity, part.id);
    if (settle_record(m, commands, got, must, 0) == COSM_OK) {
        struct command command = {.kind = adds ? COMMAND_ADD : COMMAND_REMOVE,
                                  .world = place.index,
                                  .entity = entity,
                                  .set = part.kind->set};
        record(m, commands, &command);
    }
}

// Adds or removes a component by command; now and then both, which one after the other matters.
void op_commands_change(struct model *m) {
    struct commands *commands = pick_commands(m);
    struct place place = pick_place(m);
    uint32_t how = pick(m, 4);
    struct part part = pick_part(m);
    if (!commands || (part.kind && !room_for_bytes(m, set_size(&m->o, part.kind->set)))) {
        return;
    }
    cosm_entity entity = pick_target(m, commands, place.index);
    record_change(m, commands, place, entity, part, how % 2 == 0);
    if (how >= 2) {
        record_change(m, commands, place, entity, part, how % 2 == 1);
    }
}

// Records what turns an entity of one set into one of another, component by component: the steps
// lead through many sets, of which the merged move should see only the last.
static void record_reshape(struct model *m, struct commands *commands, struct place place,
                           cosm_entity entity, uint64_t from, uint64_t to) {
    uint32_t start = draw(m, m->o.plain_count);
    for (uint32_t i = 0; i < m->o.plain_count; i++) {
        const struct kind *kind = &m->o.kinds[m->o.plain[(start + i) % m->o.plain_count]];
        struct part part = {kind->id, kind};
        if (((from ^ to) & kind->set) != 0) {
            record_change(m, commands, place, entity, part, (to & kind->set) != 0);
        }
    }
}

void op_commands_reshape(struct model *m) {
    struct commands *commands = pick_commands(m);
    struct place place = pick_place(m);
    struct choice choice = pick_archetype(m);
    if (!commands || !place_is_good(place) || choice.index == 0xFFFFFFFFu) {
        return;
    }
    uint64_t to = choice_archetype(m, choice)->set;
    cosm_entity entity = pick_target(m, commands, place.index);
    const struct being *being = being_find(&m->o, place.index, entity);
    if (room_for_bytes(m, set_size(&m->o, to))) {
        record_reshape(m, commands, place, entity, being ? being->set : 0, to);
    }
}

// The first living entity from the n-th on that is, or is not, of the set.
static const struct being *find_being(struct model *m, uint32_t world, uint64_t set, bool of_set,
                                      uint32_t n) {
    uint32_t alive = m->o.worlds[world].alive_count;
    for (uint32_t i = 0; i < alive; i++) {
        const struct being *being = being_nth(&m->o, world, (n + i) % alive);
        if ((table_set(&m->o, being->set) == set) == of_set) {
            return being;
        }
    }
    return NULL;
}

// Likewise one of another set that has some component in another layout than the set's tables.
static const struct being *find_reshaped(struct model *m, uint32_t world, uint64_t set,
                                         uint32_t n) {
    uint32_t alive = m->o.worlds[world].alive_count;
    uint64_t split = split_of_set(&m->o, set, false);
    for (uint32_t i = 0; i < alive; i++) {
        const struct being *being = being_nth(&m->o, world, (n + i) % alive);
        if ((being->set & set & (split_of_set(&m->o, being->set, false) ^ split)) != 0) {
            return being;
        }
    }
    return NULL;
}

// One entity leaves a table and another takes its place, after a command that does nothing to it:
// a fixed table that is full has room for that, in the order of the commands.
void op_commands_swap(struct model *m) {
    struct commands *commands = pick_commands(m);
    struct place place = pick_place(m);
    struct choice choice = pick_table(m, place);
    const struct archetype *archetype = choice_archetype(m, choice);
    if (!commands || !place_is_good(place) || !archetype || archetype->temporary) {
        return;
    }
    uint64_t set = archetype->set;
    uint32_t n = draw(m, m->o.worlds[place.index].alive_count);
    const struct being *leaves = find_being(m, place.index, set, true, n);
    const struct being *enters = find_reshaped(m, place.index, set, n);
    if (!enters || draw(m, 4) == 0) {
        enters = find_being(m, place.index, set, false, n);
    }
    const struct kind *kind = pick_plain(m);
    if (!leaves || !enters || kind->size > 200 ||
        !room_for_bytes(m, set_size(&m->o, set) + kind->size)) {
        return;
    }
    struct part part = {kind->id, kind};
    record_change(m, commands, place, enters->handle, part, (enters->set & kind->set) != 0);
    record_change(m, commands, place, leaves->handle, part, (set & kind->set) == 0);
    record_reshape(m, commands, place, enters->handle, enters->set, set);
    // Left for later, one of the two is mostly gone by then.
    if (draw(m, 2) == 1) {
        cosm_error_clear();
        apply_object(m, commands, true);
    }
}

void op_commands_set(struct model *m) {
    struct commands *commands = pick_commands(m);
    struct place place = pick_place(m);
    struct part part = pick_part(m);
    bool null = rarely(m, 16);
    if (!commands) {
        return;
    }
    cosm_entity entity = pick_target(m, commands, place.index);
    uint32_t value = draw_value(m);
    if (part.kind && !room_for_bytes(m, set_size(&m->o, part.kind->set))) {
        return;
    }
    say(m, "cosm_commands_set(object %u, world %u, {gen %u, id %u}, %s, value %u)",
        (unsigned)(commands - m->commands), place.index, entity.gen, entity.id,
        part.kind ? part.kind->name : "an unknown component", value);
    bool good = place_is_good(place) && part.kind && !part.kind->bundle;
    const void *bytes = good && !null ? bytes_of(m, part.kind, value) : NULL;
    good = good && (bytes || part.kind->size == 0);
    uint32_t must = good ? 0 : RESULT_BIT(COSM_ERROR_ARGUMENT);
    cosm_result got = cosm_commands_set(commands->library, place.world, entity, part.id, bytes);
    if (settle_record(m, commands, got, must, 0) == COSM_OK) {
        struct command command = {.kind = COMMAND_SET,
                                  .world = place.index,
                                  .entity = entity,
                                  .set = part.kind->set,
                                  .value_count = 1};
        command.bits[0] = part.kind->bit;
        command.values[0] = value;
        record(m, commands, &command);
    }
}

// The worlds in which the object has taken ids for spawns that will not come.
static uint32_t spawn_worlds(const struct commands *commands) {
    uint32_t worlds = 0;
    for (uint32_t i = 0; i < commands->count; i++) {
        worlds |= commands->list[i].kind == COMMAND_SPAWN ? 1u << commands->list[i].world : 0;
    }
    return worlds;
}

// Taking back a spawn may need memory; where there is none its id is lost for good.
static void take_back_spawns(struct model *m, const struct commands *commands) {
    uint32_t worlds = spawn_worlds(commands);
    m->touched |= worlds;
    bool scarce = m->memory_limit != 0 || m->heap.refused || m->heap.fail_after != 0;
    m->ids_lost = m->ids_lost || (worlds != 0 && scarce);
}

void op_commands_clear(struct model *m) {
    struct commands *commands = &m->commands[pick(m, MODEL_COMMANDS_MAX)];
    if (!commands->library) {
        return;
    }
    say(m, "cosm_commands_clear(object %u)", (unsigned)(commands - m->commands));
    cosm_commands_clear(commands->library);
    take_back_spawns(m, commands);
    commands->count = 0;
    commands->failed = COSM_OK;
    if (cosm_commands_count(commands->library) != 0) {
        fail(m, "an object that was cleared still holds commands");
    }
}

void op_commands_destroy(struct model *m) {
    struct commands *commands = &m->commands[pick(m, MODEL_COMMANDS_MAX)];
    if (!commands->library) {
        return;
    }
    say(m, "cosm_commands_destroy(object %u)", (unsigned)(commands - m->commands));
    cosm_commands_destroy(commands->library);
    take_back_spawns(m, commands);
    commands->library = NULL;
    commands->count = 0;
}
