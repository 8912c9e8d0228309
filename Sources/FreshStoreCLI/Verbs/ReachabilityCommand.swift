#if CommandLine
  internal import ArgumentParser
  internal import Reachability
  internal import Strategies

  /// `freshstore reachability`: the findings of the chain's first strategy.
  struct ReachabilityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reachability",
      abstract: "Say whether this host has a way to a source, and why not; send nothing.",
      discussion: """
        The kernel is asked for its routes; no packet leaves. "online" says that there is a way \
        out, not that anybody answers; of a name without an address nothing is known, unless nothing \
        at all is in reach. One line each: the target, the state, and in brackets which way of asking \
        answered: netlink, connect, route-files or none.

        EXAMPLES
          freshstore reachability
          freshstore reachability https://example.org 192.0.2.7 --json
          freshstore reachability --watch

        A get may be told otherwise by --offline, --online, --ignore-reachability, or by the variable \
        \(ReachabilityOverride.variable) (ask, offline, online or ignore).

        EXIT CODES
          0    there is a way to some target, or nothing proves that there is none
          4    every target is provably out of reach
          64   the arguments are wrong
        """)

    @Argument(
      help: "Addresses, host names or URLs; the Internet at large when there is none.")
    var target: [String] = []

    @Flag(help: "Go on, and print a line whenever a state changes.")
    var watch = false

    @OptionGroup var output: JSONOption

    func validate() throws {
      for text in target where text.isEmpty {
        throw ValidationError("a target is empty; name an address, a host or a URL")
      }
    }

    func run() async throws {
      try await Session.run { [self] in
        if let override = try ReachabilityOverride.ofEnvironment(), override != .askReachability {
          Console.note(
            "\(ReachabilityOverride.variable)=\(override.rawValue) is set: that, and not what follows, "
              + "is what a get goes by")
        }
        let targets =
          try target.isEmpty ? [ReachabilityTarget()] : target.map(ReachabilityTarget.init)
        if watch {
          try await follow(targets)
        } else {
          for target in targets { try tell(target, target.reachability()) }
          let isOffline = targets.allSatisfy { $0.reachability().isProvablyOffline }
          if isOffline { throw CommandFailure(.nothingToServe) }
        }
      }
    }

    private func follow(_ targets: [ReachabilityTarget]) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for target in targets {
          group.addTask {
            for await seen in target.monitor.changes() { try tell(target, target.state(seen)) }
          }
        }
        // A target that fails ends the others. A target whose routes cannot be followed does not.
        while try await group.next() != nil {}
      }
    }

    private func tell(
      _ target: ReachabilityTarget, _ state: Reachability
    ) throws(CommandFailure) {
      let method = target.monitor.method.rawValue
      let fields: JSONFields = [
        "target": target.name, "addresses": target.addresses.map(\.description),
        "state": state.code, "words": state.description, "method": method,
        "isProvablyOffline": state.isProvablyOffline,
      ]
      let words =
        switch state {
        // These states name themselves in their words.
        case .offline: "\(state)"
        case .unknown(let reason): "unknown: \(reason)"
        default: "\(state.code): \(state)"
        }
      try output.print(fields, or: ["\(target.name): \(words) [\(method)]"])
    }
  }
#endif
