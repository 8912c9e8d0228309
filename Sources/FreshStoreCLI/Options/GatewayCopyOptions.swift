#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway

  /// How the gateway was started whose copies are told of.
  struct GatewayCopyOptions: ParsableArguments {
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "As for the gateway (freshstore serve): how long past its freshness a copy of it may stand in.",
        valueName: "duration"), transform: DurationText.span)
    var maxStale: Duration?

    var options: GatewayOptions {
      var options = GatewayOptions()
      options.maximumStaleness = maxStale
      return options
    }
  }
#endif
