#if Fleet
  internal import FreshStore

  extension SharedTierError {
    /// The meaning of a database's code
    /// (https://www.postgresql.org/docs/15/errcodes-appendix.html).
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

    /// The meaning of a message with which a connection failed: the library gives no code for it. The words
    /// are the server's and libpq's own, which are English unless the program has set a locale.
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
      // A socket that does not exist is no server; the same words tell of a role or a database.
      if message.contains("No such file or directory") { return .unreachable }
      return words.first { message.contains($0.0) }?.1 ?? .unreachable
    }

    /// The code of a server that takes no more connections, while those it has may well work.
    static let crowded = "53300"

    static func isCrowd(connectionMessage message: String) -> Bool {
      message.contains("too many clients") || message.contains("too many connections")
        || message.contains("connection slots are reserved")
        || message.contains("no more connections allowed")
    }

    /// True for failures of two transactions that met: the same call may succeed.
    var isConflict: Bool { state == "40001" || state == "40P01" }

    /// True when the same call, which was surely not done, may succeed at once, maybe over another connection.
    func isPassing(of steps: [Step]) -> Bool {
      isConflict || isStatementLost || isPlanOutdated || code == .readOnly
        || isNoticeRefused && steps.contains { $0.isNotice }
    }

    /// True when the connection's prepared statements are no longer what the client takes them for.
    var isStatementLost: Bool { state == "26000" || state == "42P05" }

    /// The same with the remedy, where a second attempt has failed, too.
    var advised: SharedTierError {
      guard isStatementLost else { return self }
      return SharedTierError(
        code,
        message
          + ": the pooler before the database mixes up the statements of its clients; PgBouncer keeps them apart "
          + "from 1.21 on, with max_prepared_statements above 0, or with pool_mode = session",
        state: state)
    }

    /// True when a prepared statement's table has changed; of a new statement it says that the engine lacks
    /// something.
    var isPlanOutdated: Bool { state == "0A000" }

    /// True when there is no place for more notifications: somebody who listens does not read them.
    var isNoticeRefused: Bool { state == "54000" }
  }

  extension String {
    /// The lines of a message on one, without tabs and the like.
    var onOneLine: String {
      split { $0.isNewline }.map { line in
        line.split { $0.isWhitespace }.joined(separator: " ")
      }.filter { !$0.isEmpty }.joined(separator: "; ")
    }
  }
#endif
