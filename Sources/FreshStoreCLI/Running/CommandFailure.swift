#if CommandLine
  internal import FreshStore

  /// The failure that ends a command before its work is done.
  struct CommandFailure: Error {
    let status: ExitStatus
    /// For standard error; `nil` when there is nothing left to say.
    let message: String?
    /// True when it has met a damaged file.
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
      guard case .writesLost = error.code, error.operation == .open, let path = error.path else {
        self.init(status, "\(error)" + Self.step(after: error))
        return
      }
      self.init(
        status,
        "\(error); `freshstore recover \(path) NEW --accept-lost-writes` makes a store of all that "
          + "can be read, to be moved to \(path)")
    }

    /// How the advice that ends a message is followed here.
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

    /// A prune is advised only where it can begin.
    private static func room(for error: StoreError) -> String {
      let begins = error.path.map { DiskRoom(of: $0).isEnoughToPrune } ?? true
      guard begins else {
        return error.operation == .prune
          ? "; \(DiskRoom.words) are enough to begin with"
          : "; a prune has no room there now, and needs \(DiskRoom.words) to begin with"
      }
      return error.operation == .prune ? "" : " by freshstore prune"
    }

    /// There is no such record.
    static func nothingStored(under key: String) -> CommandFailure {
      CommandFailure(
        .nothingToServe, "\(Console.quoted(key: key)): nothing is stored under the key")
    }

    /// There are no local writes of these numbers.
    static func noWrites(_ numbers: [OutboxEntry.ID]) -> CommandFailure {
      let words = numbers.map { "\($0)" }.joined(separator: ", ")
      return CommandFailure(
        .nothingToServe, "the outbox has no write \(words); see freshstore outbox list")
    }

    /// Prints the message, and returns the exit status.
    func told() -> ExitStatus {
      if let message { Console.note(message) }
      return status
    }
  }
#endif
