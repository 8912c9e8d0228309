import CSQLite
import FreshStore

/// The place of a host in its fleet, read from the host's file outside any store.
struct FleetPlace {
  /// `nil` before the first news.
  let position: SharedPosition?
  /// The marks that wait to be delivered.
  let marksKept: Int64

  init(of path: String) throws {
    let file = try File(path)
    let place = try file.numbers(File.position)
    position =
      place.count == 3
      ? SharedPosition(number: place[0], token: place[1], generation: place[2]) : nil
    marksKept = try file.numbers(File.marksKept).first ?? 0
  }

  @safe
  private final class File {
    static let position = "SELECT number, token, generation FROM fleet_state WHERE id = 1"
    static let marksKept = "SELECT count(*) FROM fleet_mark WHERE refusal IS NULL"

    private let handle: OpaquePointer

    init(_ path: String) throws {
      var handle: OpaquePointer?
      let code = unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
      guard code == SQLITE_OK, let opened = unsafe handle else {
        unsafe sqlite3_close_v2(handle)
        throw WriteLock.Failure(code: code)
      }
      unsafe self.handle = opened
    }

    deinit {
      unsafe sqlite3_close_v2(handle)
    }

    /// The columns of the first row; none where there is none.
    func numbers(_ sql: String) throws -> [Int64] {
      var statement: OpaquePointer?
      let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
      guard code == SQLITE_OK else { throw WriteLock.Failure(code: code) }
      defer { unsafe sqlite3_finalize(statement) }
      switch unsafe sqlite3_step(statement) {
      case SQLITE_ROW:
        let columns = unsafe sqlite3_column_count(statement)
        return (0..<columns).map { unsafe sqlite3_column_int64(statement, $0) }
      case SQLITE_DONE: return []
      case let code: throw WriteLock.Failure(code: code)
      }
    }
  }
}
