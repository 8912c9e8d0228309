#if Fleet
  internal import CPostgres
  internal import FreshStore

  /// One result of the library; freed when its owner lets it go.
  @safe
  struct PostgresResult: ~Copyable {
    private let handle: OpaquePointer
    private let library: freshstore_libpq

    init?(_ handle: OpaquePointer?, _ library: freshstore_libpq) {
      guard let handle = unsafe handle else { return nil }
      unsafe self.handle = handle
      self.library = library
    }

    deinit {
      unsafe library.PQclear(handle)
    }

    var status: ExecStatusType { unsafe library.PQresultStatus(handle) }

    var isSuccess: Bool { status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK }

    private var rowCount: Int32 { unsafe library.PQntuples(handle) }

    private var wholeMessage: String {
      unsafe library.PQresultErrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
    }

    /// The rows, copied.
    var rows: [Row] {
      let count = unsafe library.PQnfields(handle)
      return (0..<rowCount).map { row in
        Row(columns: (0..<count).map { column in cell(row, column) })
      }
    }

    private func cell(_ row: Int32, _ column: Int32) -> [UInt8]? {
      guard unsafe library.PQgetisnull(handle, row, column) == 0,
        let value = unsafe library.PQgetvalue(handle, row, column)
      else { return nil }
      let length = unsafe Int(library.PQgetlength(handle, row, column))
      return unsafe Array(UnsafeRawBufferPointer(start: value, count: length))
    }

    /// The server's error: its code and its first line, which names tables and limits, and no value of ours.
    func error(cleanedBy address: PostgresAddress) -> SharedTierError {
      let state = field(Int32(UInt8(ascii: "C")))
      let message =
        field(Int32(UInt8(ascii: "M")))
        ?? wholeMessage
      return SharedTierError(
        state.map { SharedTierError.code(ofState: $0) } ?? .unreachable,
        address.cleaned(message).onOneLine,
        state: state)
    }

    private func field(_ code: Int32) -> String? {
      unsafe library.PQresultErrorField(handle, code).map { unsafe String(cString: $0) }
    }
  }
#endif
