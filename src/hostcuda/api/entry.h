/* The way into an entry point, and the forms that entry points have. Each of these
   macros returns from the function that it stands in where something is wrong:

     HD_ENTER()                        first line: takes the lock, which any return of
                                       the function gives back
     HD_ENTER_CONTEXT(context)         the same, and declares the current context, which
                                       must be there and free of errors
     HD_ENTER_UNLOCKED()               first line of what asks of the calling thread
                                       alone: takes no lock
     HD_ENTER_FIND(type, variable, kind, handle)
                                       as HD_ENTER, and declares the object of a handle
     HD_ENTER_WITH(type, variable, call)
                                       the same, and declares a pointer that the call
                                       fills in through &variable
     HD_ANSWER(pointer, value)         last line: stores what was asked for
     HD_QUESTION(name, parameters, enter, value)
                                       a whole entry point: enters by one of the above,
                                       stores the value in its parameter `answer`

   More handles are looked up by HD_FIND (handles.h). */
#ifndef HOSTCUDA_ENTRY_H
#define HOSTCUDA_ENTRY_H

#include "hostcuda/run/context_state.h"

/* Every entry point, so that a definition with a wrong parameter does not compile. */
#pragma GCC visibility push(default)
#define F(name, suffix, version, ...) CUresult name##suffix(CU_PARAMS(__VA_ARGS__));
#include "cuda/functions.def"
#include "cuda/deprecated.def"
#include "cuda/missing.def"
#undef F
#pragma GCC visibility pop

/* Takes the lock. Fails where cuInit has not run, or ran in the parent process. */
CUresult hd_enter(void);
/* The same, without the lock. */
CUresult hd_enter_unlocked(void);
void hd_leave(int *);
/* Fails with the reason why the lock cannot be taken. */
CUresult hd_not_initialized(void);

#define HD_ENTER()      \
    HD_TRY(hd_enter()); \
    __attribute__((cleanup(hd_leave), unused)) int hd_entered = 0

#define HD_ENTER_UNLOCKED() HD_TRY(hd_enter_unlocked())

#define HD_ENTER_WITH(type, variable, call) \
    HD_ENTER();                             \
    type *variable = NULL;                  \
    HD_TRY(call)

#define HD_ENTER_CONTEXT(context) \
    HD_ENTER_WITH(hd_context, context, hd_context_current(&context))

#define HD_ENTER_FIND(type, variable, kind, handle) \
    HD_ENTER_WITH(type, variable, hd_handle_find(kind, handle, &variable))

#define HD_ANSWER(pointer, value) \
    do {                          \
        HD_NEED(pointer);         \
        *(pointer) = (value);     \
        return CUDA_SUCCESS;      \
    } while (0)

#define HD_QUESTION(name, parameters, enter, value) \
    CUresult name parameters                        \
    {                                               \
        enter;                                      \
        HD_ANSWER(answer, value);                   \
    }

#endif
