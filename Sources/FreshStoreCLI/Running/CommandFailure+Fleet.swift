#if CommandLine
  internal import FreshStore

  extension CommandFailure {
    /// The failure of a fleet's database, without which there is nothing to do.
    init(_ error: SharedTierError) { self.init(Self.status(of: error), Self.words(of: error)) }

    static func status(of error: SharedTierError) -> ExitStatus {
      switch error.code {
      case .invalidAddress, .invalidArgument: .usage
      case .noLibrary: .system
      default: .store
      }
    }

    /// An error of a fleet, and the next step. It holds no secret.
    static func words(of error: SharedTierError) -> String {
      let text = "\(error)"
      guard let step = step(after: error) else { return text }
      return text + "; " + step
    }

    /// What a mark that was not made has come to, and the next step.
    static func step(afterMark error: SharedTierError) -> String {
      let step = step(after: error).map { "; " + $0 } ?? ""
      if error.isUncertain { return step + "; it may have been made all the same: make it again" }
      return step + "; that mark is not made"
        + (error.code == .invalidArgument
          ? ""
          : "; --fleet-alone keep marks here, and the next get, mark, sweep or sync run that reaches the "
            + "fleet delivers it")
    }

    /// The next step; `nil` where the error itself names it.
    static func step(after error: SharedTierError) -> String? {
      switch error.code {
      case .noSchema, .olderSchema: "freshstore fleet init sets it up"
      case .foreignTables: "make a database of the fleet's own"
      case .noRights where error.message.contains("schema freshstore"):
        grants + "; if that schema is another application's, make a database of the fleet's own"
      case .noRights: grants
      case .refused where error.message.contains("password"):
        "see whether user and password are right; ~/.pgpass needs mode 600"
      case .refused:
        "see whether user and database are right, and what pg_hba.conf of the server demands of this host"
      case .readOnly: "name the server that can be written, or all of them"
      case .full: "make room there; freshstore fleet trim removes what is over"
      case .slow: "--fleet-limit lets a call wait longer"
      case .unreachable: "see whether the database runs, and whether the address is right"
      case .invalidAddress, .noLibrary, .newerSchema, .invalidArgument, .cancelled, .closed, .other:
        nil
      }
    }
  }

  extension CommandFailure {
    /// How the rights are had that a user of the fleet lacks.
    static let grants =
      "its owner grants them: CREATE ON DATABASE to whoever sets it up; to the others USAGE ON SCHEMA "
      + "freshstore, and SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA freshstore"
  }

  extension SharedTierError {
    /// The error, for programs.
    var fields: JSONFields { ["code": name, "message": CommandFailure.words(of: self)] }

    /// A stable name of its kind.
    private var name: String {
      switch code {
      case .unreachable: "unreachable"
      case .slow: "slow"
      case .refused: "refused"
      case .invalidAddress: "invalid-address"
      case .noLibrary: "no-library"
      case .noSchema: "no-schema"
      case .newerSchema: "newer-schema"
      case .olderSchema: "older-schema"
      case .foreignTables: "foreign-tables"
      case .noRights: "no-rights"
      case .readOnly: "read-only"
      case .full: "full"
      case .invalidArgument: "invalid-argument"
      case .cancelled: "cancelled"
      case .closed: "closed"
      case .other: "other"
      }
    }
  }
#endif
