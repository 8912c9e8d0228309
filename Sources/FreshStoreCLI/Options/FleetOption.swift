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
        (default: 250ms; sync run: 50ms; mark: 5s; fleet: 30s)
        """, valueName: "duration"),
      transform: DurationText.positive)
    var fleetLimit: Duration?

    /// The address of the database; `nil` for a host alone.
    var address: String? {
      guard let fleet else { return FleetAddress.ofEnvironment }
      return fleet.isEmpty ? nil : fleet
    }

    /// How long a program that asks a few times and ends waits for its connection and its answer, together.
    var limit: Duration { fleetLimit ?? .milliseconds(250) }

    /// How long such a program waits for a mark, and for what a long absence has left to be taken in, once the fleet
    /// answers.
    ///
    /// - Parameter isMarking: True for one that marks: whoever makes a mark wants it made.
    func patience(isMarking: Bool) -> Duration { fleetLimit ?? .seconds(isMarking ? 5 : 2) }

    /// A client for a program that asks a few times and ends: one connection, which goes with it, and no second
    /// attempt once there was no answer.
    func briefClient(
      of address: String, isMarking: Bool = false
    ) throws(SharedTierError) -> FleetClient {
      var configuration = FleetConfiguration()
      configuration.limit = limit
      configuration.markLimit = patience(isMarking: isMarking)
      configuration.connections = 1
      configuration.failuresToOpen = 1
      configuration.announces = false
      return try client(of: address, configuration)
    }

    /// A client for a program that stays.
    func lastingClient(of address: String) throws(SharedTierError) -> FleetClient {
      var configuration = FleetConfiguration()
      if let fleetLimit {
        configuration.limit = fleetLimit
        configuration.markLimit = max(configuration.markLimit, fleetLimit)
      }
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
