#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// The fleet of a verb that serves copies, or fetches them.
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

    /// This run's part in the fleet; `nil` for a host alone.
    ///
    /// - Parameter staysOpen: True for a program that stays, and false for one that asks a few times and ends.
    func member(staysOpen: Bool = false) throws(CommandFailure) -> FleetRun? {
      var options = FleetOptions()
      options.longestAlone = fleetLongestAlone
      // A source that has accepted a write must not be sent it again because a mark cannot be made.
      options.outOfReach = .keepMarks
      return try FleetRun(place, options, staysOpen: staysOpen)
    }
  }
#endif
