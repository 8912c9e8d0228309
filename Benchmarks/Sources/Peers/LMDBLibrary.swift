/// The LMDB functions in use.
///
/// Pointers that LMDB alone dereferences are passed as numbers.
@safe
struct LMDBLibrary {
  typealias Words = UnsafeMutablePointer<UInt>

  let createEnvironment: @convention(c) (Words) -> Int32
  let setMapSize: @convention(c) (UInt, Int) -> Int32
  let open: @convention(c) (UInt, UnsafePointer<CChar>, UInt32, UInt32) -> Int32
  let close: @convention(c) (UInt) -> Void
  let begin: @convention(c) (UInt, UInt, UInt32, Words) -> Int32
  let commit: @convention(c) (UInt) -> Int32
  let abort: @convention(c) (UInt) -> Void
  let reset: @convention(c) (UInt) -> Void
  let renew: @convention(c) (UInt) -> Int32
  let openDatabase:
    @convention(c) (UInt, UnsafePointer<CChar>?, UInt32, UnsafeMutablePointer<UInt32>) -> Int32
  let get: @convention(c) (UInt, UInt32, Words, Words) -> Int32
  let put: @convention(c) (UInt, UInt32, Words, Words, UInt32) -> Int32

  init() throws {
    let library = try SharedLibrary("liblmdb.so.0")
    unsafe createEnvironment = try library.function("mdb_env_create")
    setMapSize = try library.function("mdb_env_set_mapsize")
    unsafe open = try library.function("mdb_env_open")
    close = try library.function("mdb_env_close")
    unsafe begin = try library.function("mdb_txn_begin")
    commit = try library.function("mdb_txn_commit")
    abort = try library.function("mdb_txn_abort")
    reset = try library.function("mdb_txn_reset")
    renew = try library.function("mdb_txn_renew")
    unsafe openDatabase = try library.function("mdb_dbi_open")
    unsafe get = try library.function("mdb_get")
    unsafe put = try library.function("mdb_put")
  }
}
