#if CommandLine
  internal import ArgumentParser
  internal import Strategies

  /// A user's statement about the network that overrides the kernel.
  enum ReachabilityOverride: String, EnumerableFlag {
    case offline
    case online
    case ignoreReachability = "ignore"
    case askReachability = "ask"

    static func help(for value: ReachabilityOverride) -> ArgumentHelp? {
      switch value {
      case .offline: "Assume that the source is out of reach: serve any copy, fetch nothing."
      case .online: "Assume that the source is in reach, whatever the kernel says of the network."
      case .ignoreReachability:
        "Ignore reachability: only the age of a copy and its marks decide."
      case .askReachability:
        ArgumentHelp(
          """
          Ask the kernel whether the source is in reach, of a command, too: it needs a network then. \
          (default for URLs; for commands: --ignore-reachability)
          """,
          discussion: "These four override the variable \(variable).")
      }
    }

    /// The variable that makes the same statement for every call.
    static let variable = "FRESHSTORE_REACHABILITY"

    /// The value of the variable; `nil` when it is not set or is empty.
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

    /// The chain's handling of it; `origin` names the author of the statement. `nil` for one that
    /// leaves it to the kernel.
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
