/* What a face is: it shows views of an engine and turns a person's doing into the engine's inlets. It knows surfaces
 * and the neutral vocabulary, never a language. See src/face/text for the first one.
 */
#ifndef SJ_FACE_FACE_H
#define SJ_FACE_FACE_H

#include "engine/engine.h"

/* Words for the person, one place to translate. */
enum sj_face_direction { SJ_FACE_LTR, SJ_FACE_RTL };

#endif
