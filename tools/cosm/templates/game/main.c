// my_game in a terminal: keys, pictures and time.
//
//     my_game          play: a and d steer, space stops, s saves, l loads, q quits
//     my_game KEYS     play these keys, one per step ('.' is none), and print how it ends
#include "my_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#define SAVE_FILE "my_game.cosm"
#define KEY_CONTROL_C 3

static struct termios terminal; // as it was

static void leave_terminal(void) {
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
    printf("\033[?25h\n"); // the cursor is back
}

// Keys come at once and unseen, and reading does not wait for one.
static bool enter_terminal(void) {
    if (tcgetattr(STDIN_FILENO, &terminal) != 0) {
        return false;
    }
    struct termios raw = terminal;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    atexit(leave_terminal);
    printf("\033[2J\033[?25l"); // an empty screen without a cursor
    return tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

static void print_field(const struct game *game) {
    char text[FIELD_HEIGHT][FIELD_WIDTH + 1];
    game_draw(game, text);
    for (int y = 0; y < FIELD_HEIGHT; y++) {
        printf("%s\n", text[y]);
    }
    printf("caught %u, missed %u\n", game_plate(game)->caught, game_plate(game)->missed);
}

// At the end of each frame, after the steps that were due.
static cosm_result end_frame(void *context, cosm_loop *loop) {
    struct game *game = context;
    bool is_good = true;
    char key = 0;
    while (read(STDIN_FILENO, &key, 1) == 1) {
        if (key == 'q' || key == KEY_CONTROL_C) {
            cosm_loop_stop(loop);
        } else if (key == 's') {
            is_good = game_save(game, SAVE_FILE);
        } else if (key == 'l') {
            is_good = game_load(game, SAVE_FILE);
        } else {
            game_key(game, key);
        }
    }
    printf("\033[H"); // the top left corner
    print_field(game);
    printf("a d space: steer   s: save   l: load   q: quit\n%s\033[J",
           is_good ? "" : cosm_error_message());
    fflush(stdout);
    return COSM_OK;
}

static bool play(struct game *game) {
    if (!enter_terminal()) {
        fprintf(stderr,
                "my_game: this is not a terminal; pass the keys to play, as in `my_game aa.d`\n");
        return false;
    }
    cosm_loop *loop =
        cosm_loop_create(game->batch, &(cosm_loop_desc){.frame = end_frame, .frame_context = game});
    bool is_done = loop != NULL && cosm_loop_run(loop) == COSM_OK;
    if (!is_done) {
        fprintf(stderr, "my_game: %s\n", cosm_error_message());
    }
    (void)cosm_loop_destroy(loop);
    return is_done;
}

static bool play_keys(struct game *game, const char *keys) {
    for (; *keys != '\0'; keys++) {
        game_key(game, *keys);
        if (cosm_batch_step(game->batch) != COSM_OK) {
            fprintf(stderr, "my_game: %s\n", cosm_error_message());
            return false;
        }
    }
    print_field(game);
    return true;
}

int main(int argc, char **argv) {
    struct game game;
    bool is_done = game_open(&game, 1);
    if (is_done) {
        is_done = argc > 1 ? play_keys(&game, argv[1]) : play(&game);
    } else {
        fprintf(stderr, "my_game: %s\n", cosm_error_message());
    }
    game_close(&game);
    return is_done ? 0 : 1;
}
