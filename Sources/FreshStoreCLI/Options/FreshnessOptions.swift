#if CommandLine
  internal import ArgumentParser
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// The options for how long a copy is fresh, and when it may be served after that.
  struct FreshnessOptions: ParsableArguments {
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        """
        How long what is fetched now holds: 500ms, 30s, 5m, 1h30m, 7d, 1w, 90 for seconds, never, or 0 \
        for not at all. What a response says of its lifetime overrides it. Without it a response that \
        says nothing but its Last-Modified holds for a tenth of the time since then, a day at most. \
        (default: 5m)
        """, valueName: "duration"),
      transform: DurationText.expiry)
    var expiry: Expiry?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        """
        How long past its expiry a copy is served at once while it is refreshed behind. \
        (default: 0)
        """,
        valueName: "duration"),
      transform: DurationText.span)
    var staleWhileRevalidate: Duration?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long past its expiry a copy stands in for a failed fetch. (default: 0)",
        valueName: "duration"),
      transform: DurationText.span)
    var staleIfError: Duration?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        """
        The oldest copy that counts as fresh for this call, whatever its expiry. It applies to copies that \
        are there, and changes nothing for other calls.
        """,
        valueName: "duration"),
      transform: DurationText.span)
    var maxAge: Duration?

    @Flag(
      help: ArgumentHelp(
        "Assume that all callers get the same answer: serve a copy whatever headers it was fetched with.",
        discussion: "Without it only requests with the same credentials are answered from a copy."))
    var shared = false

    @Flag(exclusivity: .exclusive)
    var reachability: ReachabilityOverride?

    /// The policy of a record, from the options, the environment, the place of the source and the request headers.
    func policy(
      for name: RecordName, _ http: HTTPConfiguration
    ) async throws(CommandFailure) -> Policy {
      var policy = Policy()
      policy.expiry = expiry ?? policy.expiry
      policy.maximumAge = maxAge
      policy.graceWhileRevalidating = staleWhileRevalidate ?? .zero
      policy.graceOnError = staleIfError ?? .zero
      policy.reachability = try await handling(of: name, http)
      policy.origin = (name.url?.origin).map(http.failing)
      // A command may run longer than its output is fresh.
      policy.ageBase = name.url == nil ? .response : .request
      policy.backgroundRefresh = .byCaller
      // A command sends none of these headers. An address's answer to an identified user is not its answer to
      // everybody.
      return policy.from(http)
    }

    /// A note that ``expiry`` does not apply to the copy of a decision; `nil` when it would change nothing.
    func words(on decision: Decision) -> String? {
      guard let expiry, decision.lastUpdate != nil, decision.expiry != expiry else { return nil }
      return "--expiry is for the next fetch: this copy keeps its own, \(decision.expiry.words); "
        + "--max-age limits its age for a call"
    }

    /// The request settings of a URL: the headers of its origin, then the headers of the command line.
    func configuration(
      for name: RecordName, _ headers: OriginHeaders, and lines: [String],
      _ template: HTTPConfiguration
    ) throws -> HTTPConfiguration {
      var configuration = template
      if let url = name.url {
        configuration.headers = headers.fields(to: url, and: try HeaderText.fields(lines))
      }
      // The user's statement takes precedence over a guess.
      configuration.heuristic = expiry == nil ? .standard : .off
      configuration.temporaryRedirectExpiry = expiry ?? .immediately
      configuration.sharesCopies = shared
      return configuration
    }

    private func handling(
      of name: RecordName, _ http: HTTPConfiguration
    ) async throws(CommandFailure) -> JudgementContext.ReachabilityHandling {
      guard let reachability else { return try await Self.handling(of: name, http) }
      if let handling = reachability.handling(by: "--offline") { return handling }
      return await Self.asked(about: name, http)
    }

    /// The handling of reachability without an option. The needs of a command are unknown, so that its reachability
    /// is asked only on request.
    static func handling(
      of name: RecordName, _ http: HTTPConfiguration
    ) async throws(CommandFailure) -> JudgementContext.ReachabilityHandling {
      if let override = try ReachabilityOverride.ofEnvironment() {
        if let handling = override.handling(by: ReachabilityOverride.variable) { return handling }
      } else if name.url == nil {
        return .ignore
      }
      return await asked(about: name, http)
    }

    private static func asked(
      about name: RecordName, _ http: HTTPConfiguration
    ) async -> JudgementContext.ReachabilityHandling {
      guard let url = name.url else { return .ask }
      return await SourceReachability.handling(of: url, http)
    }
  }

  /// A user's statement about the network, which overrides the kernel.
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

    /// The environment variable that makes the same statement for every call.
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

    /// The chain's handling of the statement; `nil` when the kernel is asked.
    ///
    /// - Parameter origin: The author of the statement.
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
