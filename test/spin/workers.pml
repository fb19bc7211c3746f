/* The protocol of src/task/crew.c: posting, joining, parking, waking, leaving and ending, for spin.
 *
 * Two callers run jobs one after the other on a crew of two threads. Looked for are:
 *
 *   - a state in which nothing moves. Item 0 of every job waits until item 1 has begun, so a caller
 *     that got item 0 cannot go on without help. Callers of the library never depend on help: this
 *     asks for more than is promised;
 *   - a lost wake-up: a seat is free, a worker sleeps, nobody looks for the seat, and nobody is in
 *     the middle of seeing to it (`settling`);
 *   - an item that is done twice or not at all, two workers in one seat, and a guest in a post
 *     whose caller has gone.
 *
 * A step is one atomic operation of the code, and the order of steps is that of the code. Spin's
 * memory is sequentially consistent, as are the operations that this depends on. How long a worker
 * looks before it parks is left open: any time is tried.
 *
 * The test spin_workers runs it; by hand (the Debian package is called spin):
 *
 *     spin -a crew.pml && cc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m1000000
 *
 * "errors: 0" is a pass; it takes 10 s and 0.5 GB. Other sizes: spin -a with one or more of
 * -DJOBS=2 (70 s, 2.4 GB), -DITEMS=3 (200 s, 4 GB), -DPOSTS=1, -DWORKERS=1, -DCALLERS=1.
 * With -DBREAK=1 to 6 one line of the protocol is missing or misplaced, and spin finds an error:
 *
 *     1  no last look before sleeping
 *     2  who is parked is read before the post is opened
 *     3  a looker that joins wakes nobody in its place
 *     4  the lock is given back between the last look and going to sleep
 *     5  the last guest does not look whether its caller sleeps
 *     6  the post is cleared without waiting for guests
 */
#ifndef BREAK
#define BREAK 0
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef CALLERS
#define CALLERS 2
#endif
#ifndef POSTS
#define POSTS 2
#endif
#ifndef JOBS
#define JOBS 1 /* that each caller runs */
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#define GUEST_MAX (ITEMS - 1 < WORKERS -> ITEMS - 1 : WORKERS)
#define NONE 255

/* The state of a post is one word in the code: a d_step over several of these is one operation. */
typedef Post {
    bool claimed;
    bool waits;
    byte open;   /* seats left */
    byte inside; /* guests */
    byte next_item;
    /* What the library does not have, for the checks. */
    byte begun;
    byte done;
    byte seats; /* a bit per seat that is taken */
};
Post posts[POSTS];

bool lock;
byte wakes;
bool ends;
byte parked;
byte looking = WORKERS;
byte callers_left = CALLERS;

/* The conditions: who sleeps, and who may go on. */
byte posted_sleeping;
byte posted_granted;
bool departed_sleeping[CALLERS];

byte settling; /* threads that have changed something and not yet done what follows from it */

inline take_lock() {
    d_step { !lock -> lock = true }
}

inline give_lock() {
    lock = false
}

/* Wakes one, if one sleeps. A worker that goes to sleep later may get it instead. */
inline signal_posted() {
    d_step {
        if
        :: posted_sleeping > 0 -> posted_sleeping--; posted_granted++
        :: else
        fi
    }
}

/* `turn`, `wanted`, `seen` are the caller's own. */
inline wake_workers() {
    wanted = 0;
    turn = 0;
    do
    :: turn < POSTS -> d_step { wanted = wanted + posts[turn].open; turn++ }
    :: else -> break
    od;
    seen = looking;
    if
    :: wanted > seen ->
        wanted = wanted - seen;
        take_lock();
        d_step {
            if
            :: wanted > parked -> wanted = parked
            :: else
            fi
        };
        parked = parked - wanted;
        looking = looking + wanted;
        wakes = wakes + wanted;
        give_lock();
        do
        :: wanted > 0 -> signal_posted(); wanted--
        :: else -> break
        od
    :: else
    fi;
    turn = 0;
    wanted = 0;
    seen = 0
}

inline take_items(p, seat) {
    d_step {
        assert((posts[p].seats & (1 << seat)) == 0);
        posts[p].seats = posts[p].seats | (1 << seat)
    };
    do
    :: d_step {
            assert(posts[p].claimed);
            item = posts[p].next_item;
            posts[p].next_item++;
            if
            :: item < ITEMS -> posts[p].begun++
            :: else
            fi
        };
        if
        :: item >= ITEMS -> break
        :: item == 0 -> posts[p].begun > 1
        :: else
        fi;
        posts[p].done++
    od;
    item = 0
}

proctype Worker() {
    byte turn, wanted, seen, item, seat, mine;
    bool last;

again:
    /* Looks at every post, joins the first that is open. */
    mine = NONE;
    turn = 0;
    do
    :: turn < POSTS && mine == NONE ->
        d_step {
            if
            :: posts[turn].open > 0 ->
                seat = GUEST_MAX - posts[turn].open + 1;
                posts[turn].open--;
                posts[turn].inside++;
                mine = turn;
                settling++
            :: else
            fi;
            turn++
        }
    :: else -> break
    od;
    turn = 0;
    if
    :: mine != NONE -> goto guest
    :: mine == NONE -> goto again /* another round */
    :: mine == NONE -> goto park
    fi;

guest:
    skip;
    d_step { last = looking == 1; looking-- };
    if
    :: BREAK != 3 && last ->
        if
        :: parked > 0 -> wake_workers()
        :: else
        fi
    :: else
    fi;
    d_step { settling--; last = false };
    take_items(mine, seat);
    looking++;
    d_step {
        assert(posts[mine].inside > 0 && posts[mine].claimed);
        posts[mine].open = 0;
        posts[mine].inside--;
        last = posts[mine].waits && posts[mine].inside == 0 && BREAK != 5;
        mine = NONE;
        seat = 0
    };
    if
    :: last ->
        last = false;
        take_lock();
        give_lock();
        d_step {
            turn = 0;
            do
            :: turn < CALLERS -> departed_sleeping[turn] = false; turn++
            :: else -> break
            od;
            turn = 0
        }
    :: else
    fi;
    goto again;

park:
    skip;
    take_lock();
    d_step { looking--; settling++ };
    parked++;
    if
    :: BREAK != 1 ->
        do
        :: turn < POSTS && posts[turn].open == 0 -> turn++
        :: else -> break
        od;
    :: else -> turn = POSTS
    fi;
    if
    :: turn < POSTS ->
        turn = 0;
        parked--;
        d_step { looking++; settling-- };
        give_lock();
        goto again
    :: else -> turn = 0
    fi;
    settling--;
    if
    :: BREAK == 4 -> give_lock(); take_lock()
    :: else
    fi;
    do
    :: wakes > 0 || ends -> break
    :: else ->
        if
        :: BREAK == 4 -> give_lock(); posted_sleeping++
        :: else -> d_step { posted_sleeping++; lock = false }
        fi;
        d_step { posted_granted > 0 -> posted_granted-- };
        take_lock()
    od;
    if
    :: ends -> give_lock()
    :: else -> wakes--; give_lock(); goto again
    fi
}

proctype Caller(byte self) {
    byte turn, wanted, seen, item, job, mine;
    bool some;

    do
    :: job < JOBS ->
        /* Claims the first post that is clear. */
        mine = NONE;
        turn = 0;
        do
        :: turn < POSTS && mine == NONE ->
            d_step {
                if
                :: !posts[turn].claimed -> posts[turn].claimed = true; mine = turn
                :: else
                fi;
                turn++
            }
        :: else -> break
        od;
        turn = 0;
        if
        :: mine == NONE -> goto next /* does it alone */
        :: else
        fi;
        if
        :: BREAK == 2 -> some = parked > 0
        :: else
        fi;
        d_step {
            posts[mine].next_item = 0;
            posts[mine].begun = 0;
            posts[mine].done = 0;
            posts[mine].seats = 0
        };
        d_step {
            assert(posts[mine].inside == 0);
            posts[mine].open = GUEST_MAX;
            settling++
        };
        if
        :: BREAK != 2 -> some = parked > 0
        :: else
        fi;
        if
        :: some -> wake_workers()
        :: else
        fi;
        d_step { some = false; settling-- };
        take_items(mine, 0);
        d_step { posts[mine].open = 0; some = posts[mine].inside > 0 };
        if
        :: some && BREAK != 6 ->
            if
            :: posts[mine].inside == 0 /* seen while spinning */
            :: true ->
                take_lock();
                d_step { posts[mine].waits = true; some = posts[mine].inside > 0 };
                do
                :: some ->
                    d_step { departed_sleeping[self] = true; lock = false };
                    !departed_sleeping[self];
                    take_lock();
                    some = posts[mine].inside > 0
                :: else -> break
                od;
                give_lock()
            fi
        :: else
        fi;
        d_step {
            some = false;
            assert(posts[mine].done == ITEMS && posts[mine].inside == 0);
            posts[mine].next_item = 0;
            posts[mine].begun = 0;
            posts[mine].done = 0;
            posts[mine].seats = 0;
            posts[mine].waits = false;
            posts[mine].claimed = false
        };
next:
        job++
    :: else -> break
    od;
    callers_left--
}

/* cosmi_crew_free. */
proctype End() {
    callers_left == 0;
    take_lock();
    ends = true;
    give_lock();
    d_step { posted_granted = posted_granted + posted_sleeping; posted_sleeping = 0 }
}

proctype Watch() {
end:
    d_step {
        settling == 0 && parked > 0 && looking == 0 &&
            (posts[0].open > 0 || posts[POSTS - 1].open > 0) -> assert(false)
    }
}

init {
    byte i;
    atomic {
        do
        :: i < WORKERS -> run Worker(); i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < CALLERS -> run Caller(i); i++
        :: else -> break
        od;
        i = 0;
        run End();
        run Watch()
    }
}
