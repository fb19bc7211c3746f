// Doc comments: what is written above a declaration, or behind it on its line.
//
//     // What it weighs, hat included.        float mass; // what it weighs,
//     float mass;                                         // hat included
//
// Any kind of comment counts. clang finds only some of these, and takes a comment for a doc across
// an empty line, so the text around a declaration is looked at here.
#ifndef COSM_GEN_DOCS_H
#define COSM_GEN_DOCS_H

#include "session.h"

// The doc of a declaration as one line per paragraph, or NULL. `trailing`: a comment behind it
// counts, and comes first.
const char *docs_of(struct session *session, CXCursor cursor, bool trailing);

#endif
