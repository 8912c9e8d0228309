#if CommandLine
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies
  internal import Platform

  /// A failure that ends a command before its work is done.
  struct CommandFailure: Error {
    let status: ExitStatus
    /// The text for standard error; `nil` when nothing is left to say.
    let message: String?
    /// True when the command has met a damaged file.
    private(set) var isDamage = false

    init(_ status: ExitStatus, _ message: String? = nil) {
      self.status = status
      self.message = message
    }

    init(_ error: StoreError) {
      let status: ExitStatus =
        switch error.code {
        case .refused, .valueTooLarge, .notAnExport, .pendingWrite, .changedMeanwhile,
          .beingPushed:
          .refused
        case .alreadyExists: .inputOutput
        case .invalidKey, .invalidCollection, .invalidArgument: .usage
        case .sweepUnderWay: .underWay
        case .sharedTier(let failure): Self.status(of: failure)
        default: .store
        }
      if case .damaged = error.code, let path = error.path {
        self.init(
          status, "\(error); `freshstore recover \(path) NEW` makes a store of all that can be read"
        )
        isDamage = true
        return
      }
      guard case .writesLost(let file, _) = error.code, error.operation == .open,
        let path = error.path
      else {
        self.init(status, "\(error)" + Self.step(after: error))
        return
      }
      self.init(
        status,
        "\(error); `freshstore recover \(file) NEW` makes a store of all that can be read, past the "
          + "damage, to be moved to \(path) (--accept-lost-writes where it cannot read all of them)"
      )
    }

    /// How to follow the advice at the end of a message with this command.
    private static func step(after error: StoreError) -> String {
      switch error.code {
      case .valueTooLarge: "; --max-size raises it"
      case .full: room(for: error)
      case .pendingWrite where error.operation == .wipe:
        ": freshstore sync run --once sends it, --drop-unsent gives all of them up"
      case .pendingWrite:
        ": freshstore sync run --once sends it, freshstore outbox drop gives it up"
      case .sweepUnderWay: " with --wait"
      case .sharedTier(let failure): step(afterMark: failure)
      default: ""
      }
    }

    /// The advice to prune, which is given only when a prune can begin.
    private static func room(for error: StoreError) -> String {
      let begins = error.path.map { DiskRoom.isEnoughToPrune(at: $0) } ?? true
      guard begins else {
        return error.operation == .prune
          ? "; \(DiskRoom.words) are enough to begin with"
          : "; a prune has no room there now, and needs \(DiskRoom.words) to begin with"
      }
      return error.operation == .prune ? "" : " by freshstore prune"
    }

    /// The failure for a record that does not exist.
    static func nothingStored(under key: String) -> CommandFailure {
      CommandFailure(
        .nothingToServe, "\(Console.quoted(key: key)): nothing is stored under the key")
    }

    /// The failure for local writes that do not exist.
    static func noWrites(_ numbers: [OutboxEntry.ID]) -> CommandFailure {
      let words = numbers.map { "\($0)" }.joined(separator: ", ")
      return CommandFailure(
        .nothingToServe, "the outbox has no write \(words); see freshstore outbox list")
    }

    /// Runs a body. Its error is a fault of the arguments.
    static func usage<Result>(
      _ body: () throws(HTTPFetchError) -> Result
    ) throws(CommandFailure) -> Result {
      do throws(HTTPFetchError) {
        return try body()
      } catch {
        throw CommandFailure(.usage, "\(error)")
      }
    }

    /// Prints the message, and returns the exit status.
    func told() -> ExitStatus {
      if let message { Console.note(message) }
      return status
    }

    // MARK: Gets

    /// The failure of a get without an answer, and the next step.
    init(_ error: GetError) {
      let key = Console.quoted(key: error.key)
      switch error.code {
      case .offline:
        self.init(
          .nothingToServe,
          "\(key): \(Self.state(of: error.decision)), and the source is out of reach; try again "
            + "online, or pass --online if the source needs no route to the Internet")
      case .stale, .missing:
        self.init(.nothingToServe, "\(key): \(Self.state(of: error.decision))")
      case .absent:
        // `nil` where the source was asked just now.
        let age = error.decision?.outcome == .absent ? error.decision?.age : nil
        let known = age.map { ", \($0.brief) ago; --refresh asks again" } ?? ""
        self.init(.absent, "\(key): the source says that it does not exist\(known)")
      case .fetchFailed:
        self.init(Self.status(of: error.fetchFailure), "\(key): \(Self.words(of: error))")
      case .cancelled:
        self.init(.fetchFailed, "\(key): the get was cancelled")
      case .store:
        guard let failure = error.storeFailure else {
          self.init(.store, "\(key): the store failed")
          return
        }
        self.init(failure)
      }
    }

    private static func state(of decision: Decision?) -> String {
      guard let decision else { return "nothing usable is stored" }
      switch decision.outcome {
      case .stale where decision.mustRevalidate:
        return "the copy is stale and must not be served without asking the source"
      case .stale: return "the copy is stale (\(decision.cause))"
      default: return "\(decision.cause)"
      }
    }

    private static func words(of error: GetError) -> String {
      let message = error.fetchFailure?.message ?? "the fetch failed"
      var failure = message + option(for: error.fetchFailure?.underlying as? HTTPFetchError)
      switch error.fetchFailure?.code {
      case .pausing, .originIsDown: failure += "; --refresh asks at once"
      default: break
      }
      guard error.decision?.outcome == .stale else { return failure }
      return failure + "; the copy is too old to stand in, which --stale-if-error can allow"
    }

    /// The option that follows the advice at the end of a message.
    private static func option(for error: HTTPFetchError?) -> String {
      switch error {
      case .tls(_, .untrusted): ", by --cacert FILE"
      case .tooLarge: ", by --max-size"
      case .timedOut: ", by --timeout or --connect-timeout"
      case .tooManyRedirects: ", by --max-redirs"
      default: ""
      }
    }

    /// The exit status. A size limit counts as a rule, wherever it is broken.
    private static func status(of failure: FetchFailure?) -> ExitStatus {
      switch failure?.code {
      case .refused, .notStorable: return .refused
      default: break
      }
      if case .tooLarge = failure?.underlying as? CommandError { return .refused }
      if case .tooLarge = failure?.underlying as? HTTPFetchError { return .refused }
      return .fetchFailed
    }

    // MARK: The fleet

    /// The failure of a fleet's database, without which the verb can do nothing.
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

    /// The consequence of a mark that was not made, and the next step.
    static func step(afterMark error: SharedTierError) -> String {
      let step = step(after: error).map { "; " + $0 } ?? ""
      if error.isUncertain { return step + "; it may have been made all the same: make it again" }
      return step + "; that mark is not made"
        + (error.code == .invalidArgument
          ? ""
          : "; --fleet-alone keep marks here, and the next get, mark, sweep or sync run that reaches the "
            + "fleet delivers it")
    }

    /// The next step; `nil` when the error itself names it.
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

    /// How a user of the fleet gets missing rights.
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

  /// The room on the disk of a store.
  enum DiskRoom {
    /// The index of the log, and one step of a prune in the log. A prune has failed with 64 KiB,
    /// and none with 96.
    private static let toPrune: UInt64 = 128 << 10

    static var words: String { ByteCount.words(Int(toPrune)) }

    /// True when a prune can begin; it empties the log first.
    static func isEnoughToPrune(at path: String) -> Bool {
      let real = PathName.resolved(path)
      guard let system = FoundFileSystem(of: PathName.parent(of: real)) else { return true }
      let log = UInt64(FoundFile(real + "-wal")?.size ?? 0)
      return system.freeBytes &+ log >= toPrune
    }
  }
#endif
