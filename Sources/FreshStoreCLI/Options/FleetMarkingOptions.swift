#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// The fleet of a verb that marks.
  struct FleetMarkingOptions: ParsableArguments {
    /// What a mark does while the fleet is out of reach.
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

    /// This run's part in the fleet; `nil` for a host alone.
    func member() throws(CommandFailure) -> FleetRun? {
      var options = FleetOptions()
      options.outOfReach = fleetAlone == .keep ? .keepMarks : .refuseMarks
      return try FleetRun(place, options, beginning: .deliveringMarks, isQuiet: true)
    }
  }
#endif
