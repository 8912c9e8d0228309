#if CommandLine
  internal import ArgumentParser
  internal import FreshFleet
  internal import FreshStore
  internal import Strategies

  /// The options for the fleet of a host.
  struct FleetOption: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        """
        The database that this host shares with others: postgresql://user@host/database, or words as libpq \
        has them, such as 'service=NAME'; '' for none. A password belongs into ~/.pgpass, a service file or \
        the variable. (default: $FRESHSTORE_FLEET, else none)
        """, valueName: "uri"))
    var fleet: String?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        """
        How long a call may wait for the fleet, its connection included, before this host goes on alone. \
        (default: \(FleetPatience.words))
        """, valueName: "duration"),
      transform: DurationText.positive)
    var fleetLimit: Duration?

    @Flag(
      help: ArgumentHelp(
        """
        Ask the fleet for news every second, and do not listen for them: for a pooler that shares connections \
        between its users. A program that asks a few times and ends never listens.
        """))
    var fleetPolls = false

    /// The address of the database; `nil` for a host alone.
    var address: String? {
      guard let fleet else { return FleetAddress.ofEnvironment }
      return fleet.isEmpty ? nil : fleet
    }

    /// True when nothing says whether there is a fleet.
    var isUnnamed: Bool { fleet == nil && FleetAddress.ofEnvironment == nil }

    /// How long a call waits for its connection and its reply, together.
    func limit(_ patience: FleetPatience) -> Duration { fleetLimit ?? patience.limit }

    /// How long a program that soon ends applies the marks of a long absence, once the fleet replies.
    var longestNews: Duration { fleetLimit ?? FleetPatience.longestNews }

    /// A client for a program that asks a few times and ends. It has one connection, and makes no second attempt
    /// after a call without a reply.
    ///
    /// - Parameter limit: How long a call may wait; `nil` for the limit of the patience.
    func briefClient(
      of address: String, _ patience: FleetPatience, limit: Duration? = nil
    ) throws(SharedTierError) -> FleetClient {
      var configuration = FleetConfiguration()
      configuration.limit = limit ?? self.limit(patience)
      // A mark may take longer than a call.
      configuration.markLimit = max(configuration.limit, longestNews)
      configuration.connections = 1
      configuration.failuresToOpen = 1
      configuration.announces = false
      return try client(of: address, configuration)
    }

    /// A client for a program that keeps running.
    func lastingClient(of address: String) throws(SharedTierError) -> FleetClient {
      var configuration = FleetConfiguration()
      configuration.limit = limit(.staying)
      configuration.markLimit = max(configuration.markLimit, configuration.limit)
      configuration.listens = !fleetPolls
      return try client(of: address, configuration)
    }

    private func client(
      of address: String, _ configuration: FleetConfiguration
    ) throws(SharedTierError) -> FleetClient {
      var configuration = configuration
      configuration.connectLimit = max(configuration.connectLimit, configuration.limit)
      return try FleetClient(address, configuration: configuration)
    }
  }

  /// The fleet options of a verb that serves copies or fetches them.
  struct FleetReadingOptions: ParsableArguments {
    @OptionGroup var place: FleetOption

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        """
        How long this host may serve as fresh what it has fetched, without a word from the fleet: after that \
        all of it is stale. (default: for ever)
        """, valueName: "duration"),
      transform: DurationText.positive)
    var fleetLongestAlone: Duration?

    /// The part of this run in the fleet; `nil` for a host alone.
    ///
    /// - Parameter staysOpen: True for a program that keeps running; false for one that asks a few times and ends.
    func member(staysOpen: Bool = false) throws(CommandFailure) -> FleetRun? {
      var options = FleetOptions()
      options.longestAlone = fleetLongestAlone
      // A mark that fails must not cause a second send of a write that its source has accepted.
      options.outOfReach = .keepMarks
      return try FleetRun(place, options, staysOpen: staysOpen)
    }
  }

  /// The fleet options of a verb that marks.
  struct FleetMarkingOptions: ParsableArguments {
    /// The choice for a mark while the fleet is out of reach.
    enum Alone: String, ExpressibleByArgument, CaseIterable {
      case refuse, keep
    }

    @OptionGroup var place: FleetOption

    @Option(
      help: ArgumentHelp(
        """
        What a mark does while the fleet is out of reach: refuse (fail, and mark nothing), or keep (mark here; \
        the next get, mark, sweep or sync run that reaches the fleet delivers it).
        """, valueName: "what"))
    var fleetAlone: Alone = .refuse

    /// The part of this run in the fleet; `nil` for a host alone.
    func member() throws(CommandFailure) -> FleetRun? {
      var options = FleetOptions()
      options.outOfReach = fleetAlone == .keep ? .keepMarks : .refuseMarks
      return try FleetRun(place, options, beginning: .deliveringMarks, isQuiet: true)
    }
  }

  /// How long a call waits for the fleet, its connection included, without `--fleet-limit`. The help is made from
  /// this table.
  enum FleetPatience: CaseIterable {
    /// A program that asks a few times and ends.
    case asking
    /// A program that keeps running: its connections are open, and its callers wait.
    case staying
    /// A program that marks: its caller wants the mark to be made.
    case marking
    /// A look at how well the fleet answers.
    case looking
    /// Work on the tables.
    case administering

    var limit: Duration {
      switch self {
      case .asking: .milliseconds(250)
      case .staying: .milliseconds(50)
      case .marking: .seconds(5)
      case .looking: .seconds(5)
      case .administering: .seconds(30)
      }
    }

    private var verbs: String {
      switch self {
      case .asking: "get, explain, sweep, sync run --once"
      case .staying: "sync run, serve"
      case .marking: "mark, remove --mark, retry, fleet marks"
      case .looking: "doctor"
      case .administering: "fleet"
      }
    }

    /// How long a program that soon ends applies the marks of a long absence, once the fleet replies.
    static let longestNews = Duration.seconds(2)

    /// The table, for the help.
    static var words: String {
      allCases.map { "\($0.verbs): \($0.limit.brief.replacing(" ", with: ""))" }
        .joined(separator: "; ")
    }
  }

  /// The address of a fleet's database as a user has written it, and the secrets in it.
  enum FleetAddress {
    /// The environment variable that names the address for every verb.
    static let variable = "FRESHSTORE_FLEET"

    /// The address that the environment names; `nil` for none.
    static var ofEnvironment: String? {
      Process.variable(variable).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// True when a part of the text may be a password or another secret, even in a malformed address. When in doubt,
    /// the answer is true.
    static func mayHoldSecret(_ text: String) -> Bool {
      let words = decoded(text).lowercased()
      if words.contains(/(?:password|secret|_key)\s*=/.matchingSemantics(.unicodeScalar)) {
        return true
      }
      // Bytes are compared: a combining mark turns a colon into another character, but not the address into another.
      let bytes = Array(text.utf8)
      let scheme = bytes.firstRange(of: Array("://".utf8))
      // In an address the part before an @ is the user. In words of libpq it may be anything.
      guard scheme != nil || !bytes.contains(UInt8(ascii: "=")) else { return false }
      let rest = bytes[(scheme?.upperBound ?? 0)...]
      guard let end = rest.lastIndex(of: UInt8(ascii: "@")) else { return false }
      return rest[..<end].contains(UInt8(ascii: ":"))
    }

    /// The fault of arguments that show a secret in the list of processes; `nil` for none.
    ///
    /// Messages about wrong arguments repeat them, so that this check comes first.
    static func problem(of arguments: [String]) -> String? {
      let own = arguments.dropFirst().prefix { $0 != "--" }
      let isOfFleet = own.first == "fleet" || own.prefix(2) == ["help", "fleet"]
      var before = ""
      for word in own {
        defer { before = word }
        let isValue = isOfFleet || before == "--fleet"
        guard let text = address(in: word, isValue: isValue), mayHoldSecret(text) else { continue }
        return
          "the address of the fleet holds a password, and everybody can list the arguments of a "
          + "process: put the address into \(variable), or keep the password in ~/.pgpass or in a "
          + "service file of libpq (service=NAME)"
      }
      return nil
    }

    /// The part of an argument that may be an address.
    private static func address(in word: String, isValue: Bool) -> String? {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard word.hasPrefix("-"), parts.count > 1 else { return isValue ? word : nil }
      // The message about a mistyped option repeats its value.
      let isDatabase = ["postgres://", "postgresql://"].contains { parts[1].hasPrefix($0) }
      return isDatabase || parts[0] == "--fleet" ? String(parts[1]) : nil
    }

    /// The text without percent encoding. Names of options are decoded, too, as in libpq.
    private static func decoded(_ text: String) -> String {
      var bytes: [UInt8] = []
      var rest = Array(text.utf8)[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), rest.count > 1,
          let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        {
          bytes.append(code)
          rest = rest.dropFirst(2)
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
