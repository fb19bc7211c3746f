/* Pin, move, erase and reclaim of concurrent sectors, as a model for spin.
 *
 * One entity, two places, a writer and two readers. A place holds a version of the record: the model
 * keeps in `state` whether it may be looked at, and every look of a reader asserts that it may. The
 * names follow src/store/sectors_shared.c; docs/design/034 says what the model shows and what not:
 * spin interleaves whole steps, so the order of memory is argued there and not here.
 *
 * Variants, each of which must be found wrong:
 *   -DNO_EPOCH  a place is used again without looking at the readers that are inside
 *   -DNO_PIN    nor at its pins
 *   -DNO_MARK   a record is moved without the mark that keeps others from pinning it
 *   -DOLD_STAMP the epoch goes up before the record has gone out of sight
 */

#define READERS 2
#define PLACES 2
#define NONE 2          /* no place */
#define MOVED 8         /* in `pins`: nobody can pin any more */
#define TURNS 3         /* of the writer */

mtype = { FREE, LIVE, GONE };

mtype state[PLACES];    /* FREE: its bytes are nobody's */
byte version[PLACES];   /* the value that was copied, to see that no change is lost */
byte pins[PLACES];
byte stamp[PLACES];
byte entry = NONE;      /* the map: where the entity is */
byte epoch = 1;
byte inside[READERS];   /* the epoch that a reader noted, 0: outside */
byte changes;           /* made in place, under pins */
bool alive;             /* has the entity a record, says the writer */
byte done;              /* processes that have ended */

/* What was stamped before this can be seen by nobody. A step for each reader: it is looked at once. */
inline find_safe(safe) {
    d_step { safe = epoch; r = 0 };
    do
    :: d_step { r < READERS ->
            if
            :: inside[r] != 0 && inside[r] < safe -> safe = inside[r]
            :: else
            fi;
            r++
        }
    :: r == READERS -> break
    od
}

/* Out of sight first, then the stamp, then the epoch. */
inline retire(p) {
#ifdef OLD_STAMP
    epoch++;
    stamp[p] = epoch - 2;
#else
    stamp[p] = epoch;
    epoch++;
#endif
}

inline reclaim(p) {
    if
    :: state[p] == GONE ->
        find_safe(safe_epoch);
        if
#ifdef NO_EPOCH
        :: (pins[p] & ~MOVED) == 0 ->
#else
#ifdef NO_PIN
        :: stamp[p] < safe_epoch ->
#else
        :: stamp[p] < safe_epoch && (pins[p] & ~MOVED) == 0 ->
#endif
#endif
            d_step { state[p] = FREE; pins[p] = 0; stamp[p] = 0 } /* here objects are destroyed */
        :: else
        fi;
        d_step { safe_epoch = 0; r = 0 }
    :: else
    fi
}

proctype writer() {
    byte turns = 0, from, to, r, safe_epoch, seen;
    do
    :: turns < TURNS ->
        turns++;
        reclaim(0);
        reclaim(1);
        /* What only the writer touches is not a step of its own. */
        if
        :: !alive && (state[0] == FREE || state[1] == FREE) ->   /* add */
            d_step {
                to = (state[0] == FREE -> 0 : 1);
                version[to] = 0;
                changes = 0;
                state[to] = LIVE
            };
            d_step { entry = to; alive = true }
        :: alive ->                                              /* erase */
            d_step { from = entry; entry = NONE; alive = false; state[from] = GONE };
            retire(from)
        :: alive && state[1 - entry] == FREE ->                  /* move */
            d_step { from = entry; to = 1 - from; seen = pins[from] };
            if
#ifdef NO_MARK
            :: seen == 0 ->
#else
            :: atomic { pins[from] == 0 -> pins[from] = MOVED }
#endif
                d_step { version[to] = version[from]; state[to] = LIVE }; /* the copy */
                d_step { entry = to; state[from] = GONE };
                retire(from)
            :: else                                              /* pinned: stays */
            fi
        :: true
        fi;
        d_step { from = 0; to = 0; seen = 0 } /* fewer states: they matter no more */
    :: else -> break
    od;
    done++
}

proctype reader(byte me; byte times) {
    byte looks = 0, p, before;
    do
    :: looks < times ->
        looks++;
        before = epoch;                 /* noted, and only then told: writers may pass between */
        inside[me] = before;
again:  p = entry;
        if
        :: p == NONE -> inside[me] = 0
        :: else ->
            assert(state[p] != FREE);   /* looking at it, inside */
            if
            :: true ->
                assert(state[p] != FREE);
                inside[me] = 0
            :: true ->                  /* pin */
                atomic { before = pins[p]; pins[p]++ };
                if
                :: (before & MOVED) != 0 ->
                    pins[p]--;
                    /* The writer is on its way: look again. */
                    if
                    :: entry != p -> goto again
                    fi
                :: else ->
                    inside[me] = 0;     /* held by the pin alone */
                    assert(state[p] != FREE);
                    if
                    :: atomic { entry == p -> version[p]++; changes++ } /* a change in place */
                    :: else
                    fi;
                    assert(state[p] != FREE);
                    pins[p]--
                fi
            fi
        fi;
        d_step { p = 0; before = 0 }
    :: else -> break
    od;
    done++
}

/* Nothing is lost: what was changed under pins is in the record that the map leads to. */
proctype judge() {
    done == 1 + READERS;
    assert(entry == NONE || state[entry] == LIVE);
    assert(entry == NONE || version[entry] == changes)
}

init {
    atomic {
        state[0] = LIVE;
        state[1] = FREE;
        entry = 0;
        alive = true;
        run writer();
        run reader(0, 2);
        run reader(1, 1);
        run judge()
    }
}
