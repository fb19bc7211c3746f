// Prints help, wrapped to lines, and guesses words by how many letters they differ.
#include "help.h"

#include <string.h>

#define LINE_WIDTH 80u
#define NAME_WIDTH 10u   // of a command
#define OPTION_WIDTH 26u // of an option and its value
#define GUESS_MAX 24u    // letters of a word that is guessed

// Prints text from the column it is at on, with later lines indented to `indent`.
static void print_wrapped(FILE *out, const char *text, size_t column, size_t indent) {
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (column > indent && column + 1 + length > LINE_WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        }
        bool is_first = column == indent;
        fprintf(out, "%s%.*s", is_first ? "" : " ", (int)length, text);
        column += length + (is_first ? 0 : 1);
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}

void help_words(const struct option_info *option, const char *comma, const char *last, char *text,
                size_t size) {
    size_t count = 0;
    while (count < WORD_MAX && option->words[count] != NULL) {
        count++;
    }
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s",
                 i == 0           ? ""
                 : i + 1 == count ? last
                                  : comma,
                 option->words[i]);
    }
}

// What follows an option in help.
static const char *value_name(const struct option_info *option) {
    switch (option->kind) {
    case KIND_FILE:
        return "FILE";
    case KIND_FOLDER:
        return "DIR";
    case KIND_NUMBER:
        return option->value != NULL ? option->value : "N";
    default:
        return "";
    }
}

static void print_option(const struct option_info *option, FILE *out) {
    char words[64];
    char head[128];
    char text[512];
    help_words(option, "|", "|", words, sizeof(words));
    snprintf(head, sizeof(head), "%s%s%s", option->name, option->kind == KIND_FLAG ? "" : " ",
             option->kind == KIND_WORD ? words : value_name(option));
    size_t length = (size_t)snprintf(text, sizeof(text), "%s", option->summary);
    if (option->kind == KIND_NUMBER) {
        length += (size_t)snprintf(text + length, sizeof(text) - length, ", %llu to %llu",
                                   (unsigned long long)option->minimum,
                                   (unsigned long long)option->maximum);
    }
    if (option->standard != NULL) {
        snprintf(text + length, sizeof(text) - length, " (%s)", option->standard);
    }
    size_t indent = OPTION_WIDTH + 3;
    if (strlen(head) > OPTION_WIDTH) {
        fprintf(out, "  %s\n%*s", head, (int)indent, "");
    } else {
        fprintf(out, "  %-*s ", (int)OPTION_WIDTH, head);
    }
    print_wrapped(out, text, indent, indent);
}

void help_print(FILE *out) {
    fputs("cosm runs simulations of many worlds, and saves, replays and compares them.\n"
          "\n"
          "usage: cosm COMMAND ...\n"
          "\n",
          out);
    for (size_t i = 0; i < ACTION_COUNT; i++) {
        fprintf(out, "  %-*s %s\n", (int)NAME_WIDTH, commands[i].name, commands[i].summary);
    }
    fputs("\n"
          "`cosm COMMAND --help` prints the options of a command.\n"
          "Exit codes: 0 done, 1 the run failed or files differ, 2 the command line is wrong.\n",
          out);
}

void help_print_command(enum action action, FILE *out) {
    const struct command *command = &commands[action];
    fprintf(out, "usage: cosm %s%s%s\n\n", command->name, command->usage[0] != '\0' ? " " : "",
            command->usage);
    char first[128];
    snprintf(first, sizeof(first), "%s.", command->summary);
    first[0] = (char)(first[0] - 'a' + 'A');
    print_wrapped(out, first, 0, 0);
    if (command->about != NULL) {
        print_wrapped(out, command->about, 0, 0);
    }
    bool has_options = false;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (command_has(action, i)) {
            fputs(has_options ? "" : "\noptions (a value is the next word, or follows '='):\n",
                  out);
            has_options = true;
            print_option(&options[i], out);
        }
    }
    fprintf(out, "\nexample:\n  %s\n", command->example);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t guess_distance(const char *a, const char *b) {
    size_t rows[3][GUESS_MAX + 1]; // this one, the one before, and that before it
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);
    if (a_length > GUESS_MAX || b_length > GUESS_MAX) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= b_length; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *last = rows[(i - 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(change, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

struct guess guess_begin(const char *wrong) {
    return (struct guess){.wrong = wrong, .distance = SIZE_MAX};
}

void guess_consider(struct guess *guess, const char *word) {
    const char *wrong = guess->wrong;
    size_t dashes = strspn(word, "-");
    size_t length = strlen(wrong);
    // A word that was not finished counts as one wrong letter, once it has three.
    bool is_start = length >= dashes + 3 && strncmp(wrong, word, length) == 0;
    size_t distance = is_start ? 1 : guess_distance(wrong, word);
    // One wrong letter in three; a word of two letters is like any other one.
    size_t near = (strlen(word) - dashes) / 3;
    if (distance <= (near > 0 ? near : 1) && distance < guess->distance && length > dashes + 1) {
        guess->best = word;
        guess->distance = distance;
    }
}
