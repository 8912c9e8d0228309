#ifndef FRESHSTORE_CSQLITE_SHIM_H
#define FRESHSTORE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* sqlite3_db_config is variadic, which Swift cannot call. */
static inline int freshstore_db_config_flag(sqlite3 *database, int operation, int value) {
  return sqlite3_db_config(database, operation, value, (int *)0);
}

#endif
