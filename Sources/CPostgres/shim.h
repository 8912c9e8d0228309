#ifndef FRESHSTORE_CPOSTGRES_SHIM_H
#define FRESHSTORE_CPOSTGRES_SHIM_H

#include <dlfcn.h>

/* The library's own header where it is installed (on Debian: libpq-dev), for the compiler to check ours
   against; its declarations, which have stood since libpq 5, elsewhere: nothing else is needed to build. */
#if __has_include(<postgresql/libpq-fe.h>) && !defined(FRESHSTORE_OWN_LIBPQ)
#include <postgresql/libpq-fe.h>
#elif __has_include(<libpq-fe.h>) && !defined(FRESHSTORE_OWN_LIBPQ)
#include <libpq-fe.h>
#else
#include "libpq.h"
#endif

/* The functions of libpq that are called. The library is loaded at the first use, not with the
   program: it brings some twenty others along, which cost every start 3 ms. */
#define FRESHSTORE_LIBPQ(F) \
  F(PQconnectStartParams) F(PQconnectPoll) F(PQconninfoParse) F(PQconninfoFree) F(PQfreemem) \
  F(PQfinish) F(PQstatus) F(PQsocket) F(PQerrorMessage) F(PQsetnonblocking) F(PQsetNoticeProcessor) \
  F(PQenterPipelineMode) F(PQexitPipelineMode) F(PQpipelineSync) F(PQsendPrepare) \
  F(PQsendQueryPrepared) F(PQsendQuery) F(PQflush) F(PQconsumeInput) F(PQisBusy) F(PQgetResult) \
  F(PQnotifies) F(PQresultStatus) F(PQresultErrorField) F(PQresultErrorMessage) F(PQntuples) \
  F(PQnfields) F(PQgetisnull) F(PQgetlength) F(PQgetvalue) F(PQclear)

struct freshstore_libpq {
#define FRESHSTORE_FIELD(name) __typeof__(&name) name;
  FRESHSTORE_LIBPQ(FRESHSTORE_FIELD)
#undef FRESHSTORE_FIELD
};

/* The name of the first function that the library does not have; NULL when it has all. */
static inline const char *freshstore_libpq_load(void *library, struct freshstore_libpq *table) {
#define FRESHSTORE_FIND(name) \
  if ((*(void **)&table->name = dlsym(library, #name)) == (void *)0) return #name;
  FRESHSTORE_LIBPQ(FRESHSTORE_FIND)
#undef FRESHSTORE_FIND
  return (const char *)0;
}

#endif
