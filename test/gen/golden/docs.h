// Comments of every kind, some of which are docs and some of which are not.
#include <cosm/mark.h>

// Not a doc: an empty line follows.

/* A doc
 *   with stars, and a backslash at its end \ */
typedef struct COSM_COMPONENT() Notes {
    // Above.
    int above;
    int behind; // Behind,
                // over two lines.
    int beside; // Behind.
    // Above.
    int next; /* In a block. */
    int first, second; // For both.
    /// Of three slashes, in two
    ///
    /// paragraphs.
    int slashes;
    int angle; ///< With an angle.
    int block_angle; /**< Also with one. */
    // Not this one,
    int better; // but this one.
    int none;
    // ------------------------------

    int ruled;
    int order; // NOLINT(something)
    int quotes; // "quotes", \backslash, ??= and */ too
    struct { int x; int y; } nested; // inherited
    struct {
        int z; // of its own
    } other; // not inherited
    int arr[2] /* not here */ ; // here
    int tab;	// behind	a tab
} Notes;
// Of a tag.
COSM_TAG(Above);
COSM_TAG(Behind); // Behind a tag.
