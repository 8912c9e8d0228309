#ifndef FRESHSTORE_CPOSTGRES_LIBPQ_H
#define FRESHSTORE_CPOSTGRES_LIBPQ_H

/* The part of libpq that is used, as its documentation has it
   (https://www.postgresql.org/docs/15/libpq.html). */

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;
typedef void (*PQnoticeProcessor)(void *context, const char *message);

typedef struct pgNotify {
  char *relname;
  int be_pid;
  char *extra;
  struct pgNotify *next;
} PGnotify;

typedef enum { CONNECTION_OK, CONNECTION_BAD } ConnStatusType;

typedef enum {
  PGRES_POLLING_FAILED,
  PGRES_POLLING_READING,
  PGRES_POLLING_WRITING,
  PGRES_POLLING_OK
} PostgresPollingStatusType;

typedef enum {
  PGRES_EMPTY_QUERY,
  PGRES_COMMAND_OK,
  PGRES_TUPLES_OK,
  PGRES_COPY_OUT,
  PGRES_COPY_IN,
  PGRES_BAD_RESPONSE,
  PGRES_NONFATAL_ERROR,
  PGRES_FATAL_ERROR,
  PGRES_COPY_BOTH,
  PGRES_SINGLE_TUPLE,
  PGRES_PIPELINE_SYNC,
  PGRES_PIPELINE_ABORTED
} ExecStatusType;

typedef struct {
  char *keyword;
  char *envvar;
  char *compiled;
  char *val;
  char *label;
  char *dispchar;
  int dispsize;
} PQconninfoOption;

PGconn *PQconnectStartParams(
  const char *const *keywords, const char *const *values, int expand_dbname);
PostgresPollingStatusType PQconnectPoll(PGconn *conn);
PQconninfoOption *PQconninfoParse(const char *conninfo, char **errmsg);
void PQconninfoFree(PQconninfoOption *connOptions);
void PQfreemem(void *ptr);
void PQfinish(PGconn *conn);
ConnStatusType PQstatus(const PGconn *conn);
int PQsocket(const PGconn *conn);
char *PQerrorMessage(const PGconn *conn);
int PQsetnonblocking(PGconn *conn, int arg);
PQnoticeProcessor PQsetNoticeProcessor(PGconn *conn, PQnoticeProcessor proc, void *arg);
int PQenterPipelineMode(PGconn *conn);
int PQexitPipelineMode(PGconn *conn);
int PQpipelineSync(PGconn *conn);
int PQsendPrepare(
  PGconn *conn, const char *stmtName, const char *query, int nParams, const Oid *paramTypes);
int PQsendQueryPrepared(
  PGconn *conn, const char *stmtName, int nParams, const char *const *paramValues,
  const int *paramLengths, const int *paramFormats, int resultFormat);
int PQsendQuery(PGconn *conn, const char *query);
int PQflush(PGconn *conn);
int PQconsumeInput(PGconn *conn);
int PQisBusy(PGconn *conn);
PGresult *PQgetResult(PGconn *conn);
PGnotify *PQnotifies(PGconn *conn);
ExecStatusType PQresultStatus(const PGresult *res);
char *PQresultErrorField(const PGresult *res, int fieldcode);
char *PQresultErrorMessage(const PGresult *res);
int PQntuples(const PGresult *res);
int PQnfields(const PGresult *res);
int PQgetisnull(const PGresult *res, int tup_num, int field_num);
int PQgetlength(const PGresult *res, int tup_num, int field_num);
char *PQgetvalue(const PGresult *res, int tup_num, int field_num);
void PQclear(PGresult *res);

#endif
