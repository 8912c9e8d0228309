#if CommandLine
  internal import ArgumentParser
  internal import FreshFleet
  internal import FreshStore

  /// The options for the fleet that a host belongs to.
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

    /// True where nobody has said whether there is a fleet.
    var isUnnamed: Bool { fleet == nil && FleetAddress.ofEnvironment == nil }

    /// How long a call of such a program waits for its connection and its answer, together.
    func limit(_ patience: FleetPatience) -> Duration { fleetLimit ?? patience.limit }

    /// How long a program that asks a few times takes in what a long absence has left, once the fleet answers.
    var longestNews: Duration { fleetLimit ?? FleetPatience.longestNews }

    /// A client for a program that asks a few times and ends: one connection, which goes with it, and no second
    /// attempt once there was no answer.
    ///
    /// - Parameter limit: How long a call may wait; `nil` for as long as the patience says.
    func briefClient(
      of address: String, _ patience: FleetPatience, limit: Duration? = nil
    ) throws(SharedTierError) -> FleetClient {
      var configuration = FleetConfiguration()
      configuration.limit = limit ?? self.limit(patience)
      // A landing may take longer than a call.
      configuration.markLimit = max(configuration.limit, longestNews)
      configuration.connections = 1
      configuration.failuresToOpen = 1
      configuration.announces = false
      return try client(of: address, configuration)
    }

    /// A client for a program that stays.
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
#endif
