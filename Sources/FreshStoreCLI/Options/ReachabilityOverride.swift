#if CommandLine
  internal import ArgumentParser
  internal import Strategies

  /// What is said of the network by somebody who knows better than the kernel.
  enum ReachabilityOverride: String, EnumerableFlag {
    case offline
    case online
    case ignoreReachability = "ignore"
    case askReachability = "ask"

    static func help(for value: ReachabilityOverride) -> ArgumentHelp? {
      switch value {
      case .offline: "Take the source to be out of reach: serve any copy, fetch nothing."
      case .online: "Take the source to be in reach, whatever the kernel says of the network."
      case .ignoreReachability:
        "Leave reachability out of it: only the age of a copy decides, and what it is marked as."
      case .askReachability:
        ArgumentHelp(
          """
          Ask the kernel whether the source is in reach, of a command, too: it needs a network then. \
          (default for URLs; for commands: --ignore-reachability)
          """,
          discussion: "These four go before the variable \(variable).")
      }
    }

    /// The variable that says the same for every call.
    static let variable = "FRESHSTORE_REACHABILITY"

    /// What the variable says; `nil` when it is not set or is empty.
    static func ofEnvironment() throws(CommandFailure) -> ReachabilityOverride? {
      guard let text = Process.variable(variable), !text.isEmpty else { return nil }
      guard let override = ReachabilityOverride(rawValue: text) else {
        throw CommandFailure(
          .usage,
          """
          \(variable) is '\(Console.printable(text))'; set it to ask, offline, online or ignore
          """)
      }
      return override
    }

    /// How the chain is to take it; `origin` says whose word it is. `nil` for a word that leaves it to the
    /// kernel.
    func handling(by origin: String) -> JudgementContext.ReachabilityHandling? {
      switch self {
      case .offline: .assume(.offline("assumed by \(origin)"))
      case .online: .assume(.online)
      case .ignoreReachability: .ignore
      case .askReachability: nil
      }
    }
  }
#endif
