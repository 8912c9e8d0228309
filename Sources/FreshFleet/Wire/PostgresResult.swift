#if Fleet
  internal import CPostgres
  internal import FreshStore

  /// One result of the library. It is freed when its owner releases it.
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

    /// The server's error: its code and its first line, which names tables and limits, but no value of ours.
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

  /// A row as received: its columns are in PostgreSQL's binary form. A column of an unexpected form reads as NULL.
  struct Row: Sendable {
    let columns: [[UInt8]?]

    /// A row with some of the columns.
    func picking(_ places: some Sequence<Int>) -> Row { Row(columns: places.map { columns[$0] }) }

    func bytes(_ column: Int) -> [UInt8]? { columns[column] }

    func text(_ column: Int) -> String {
      String(decoding: columns[column] ?? [], as: UTF8.self)
    }

    /// An integer of any size.
    func integer(_ column: Int) -> Int64? {
      guard let bytes = columns[column], let first = bytes.first, bytes.count <= 8 else {
        return nil
      }
      return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }

    func boolean(_ column: Int) -> Bool { columns[column] == [1] }

    func milliseconds(_ column: Int) -> Duration? { integer(column).map { .milliseconds($0) } }

    /// An array of byte strings without NULLs.
    func byteStrings(_ column: Int) -> [[UInt8]] {
      guard let bytes = columns[column], bytes.count >= 20 else { return [] }
      var values: [[UInt8]] = []
      var index = 20
      while index + 4 <= bytes.count {
        let length = bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
        index += 4
        guard length <= bytes.count - index else { return values }
        values.append(Array(bytes[index..<index + length]))
        index += length
      }
      return values
    }
  }

  extension SharedTierError {
    /// The meaning of a code of the database (https://www.postgresql.org/docs/15/errcodes-appendix.html).
    static func code(ofState state: String) -> Code {
      switch state {
      case "53100": .full
      case "42501": .noRights
      case "25006": .readOnly
      case "42P01", "3F000": .noSchema
      case "42703": .foreignTables
      case "57014", "55P03": .slow
      case "3D000", "28000", "28P01", "08P01": .refused
      default:
        switch state.prefix(2) {
        case "08", "57", "53": .unreachable
        case "28": .refused
        default: .other
        }
      }
    }

    /// The meaning of the message of a failed connection, for which the library gives no code. The words are
    /// those of the server and of libpq, in English unless the program has set a locale.
    static func code(ofConnectionMessage message: String) -> Code {
      let words: [(String, Code)] = [
        ("session is read-only", .readOnly), ("server is in hot standby mode", .readOnly),
        ("authentication failed", .refused), ("no password supplied", .refused),
        ("no pg_hba.conf entry", .refused), ("does not exist", .refused),
        ("is not permitted to log in", .refused), ("does not support SSL", .refused),
        ("certificate", .refused), ("SSL error", .refused),
        ("received invalid response", .refused), ("definition of service", .invalidAddress),
        ("service file", .invalidAddress), ("invalid ", .invalidAddress),
        ("permission denied for database", .refused),
      ]
      // A missing socket means that there is no server. The same words can also be about a role or a database.
      if message.contains("No such file or directory") { return .unreachable }
      return words.first { message.contains($0.0) }?.1 ?? .unreachable
    }

    /// The code of a server that accepts no more connections. Its present ones may work.
    static let crowded = "53300"

    static func isCrowd(connectionMessage message: String) -> Bool {
      message.contains("too many clients") || message.contains("too many connections")
        || message.contains("connection slots are reserved")
        || message.contains("no more connections allowed")
    }

    /// True for a conflict of two transactions: the same call may succeed.
    var isConflict: Bool { state == "40001" || state == "40P01" }

    /// True when the call was surely not executed and may succeed at once, perhaps over another connection.
    func isPassing(of steps: [Step]) -> Bool {
      isConflict || isStatementLost || isPlanOutdated || code == .readOnly
        || isNoticeRefused && steps.contains { $0.isNotice }
    }

    /// True when the server's prepared statements are not those that the client expects.
    var isStatementLost: Bool { state == "26000" || state == "42P05" }

    /// The same error with the remedy, after a second attempt has failed, too.
    var advised: SharedTierError {
      guard isStatementLost else { return self }
      return SharedTierError(
        code,
        message
          + ": the pooler before the database mixes up the statements of its clients; PgBouncer keeps them apart "
          + "from 1.21 on, with max_prepared_statements above 0, or with pool_mode = session",
        state: state)
    }

    /// True when the table of a prepared statement has changed. For a new statement the code means that the
    /// engine lacks a feature.
    var isPlanOutdated: Bool { state == "0A000" }

    /// True when there is no room for more notifications: a listener does not read them.
    var isNoticeRefused: Bool { state == "54000" }
  }

  extension String {
    /// The lines of a message joined into one, without tabs and the like.
    var onOneLine: String {
      split { $0.isNewline }.map { line in
        line.split { $0.isWhitespace }.joined(separator: " ")
      }.filter { !$0.isEmpty }.joined(separator: "; ")
    }
  }
#endif
