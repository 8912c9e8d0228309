#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway

  /// What clients, origins and answers may take of a gateway.
  struct ServingLimits: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The most bytes of a request's head; 431, or 414 for its first line, beyond 8k. (default: 64k)",
        valueName: "size"), transform: SizeText.parse)
    var maxHead: Int?

    @Option(help: ArgumentHelp("The most fields of a request; 431 beyond.", valueName: "count"))
    var maxFields = 128

    @Option(
      help: ArgumentHelp(
        "The largest content of a request; 413 beyond. (default: 1G)", valueName: "size"),
      transform: SizeText.parse)
    var maxRequest: Int?

    @Option(
      help: ArgumentHelp(
        "The largest answer that is kept; a larger one is passed on each time. (default: 1G)",
        valueName: "size"), transform: SizeText.valueSize)
    var maxSize: Int?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long the head of a request may take; 408 beyond. (default: 10s)",
        valueName: "duration"), transform: DurationText.positive)
    var headTimeout: Duration?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long a connection may wait for its next request. (default: 1m)",
        valueName: "duration"), transform: DurationText.positive)
    var idleTimeout: Duration?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long a client may send nothing of its content, or take nothing of its answer. (default: 1m)",
        valueName: "duration"), transform: DurationText.positive)
    var stallTimeout: Duration?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long a request may take in all. (default: 1h)", valueName: "duration"),
      transform: DurationText.positive)
    var totalTimeout: Duration?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long an origin may take to answer, or be silent; 504, or a copy, beyond. (default: 1m)",
        valueName: "duration"), transform: DurationText.positive)
    var originTimeout: Duration?

    @Option(
      help: ArgumentHelp(
        "The most connections; beyond, 503, or with --certificate an end.", valueName: "count"))
    var maxConnections = 10_000

    @Option(
      help: ArgumentHelp("The most connections of one peer; 503 beyond.", valueName: "count"))
    var maxConnectionsPerPeer = 5_000

    @Option(
      help: ArgumentHelp(
        "The most connections to one origin; a request beyond waits, and none counts against it.",
        valueName: "count"))
    var originConnections = 256

    func validate() throws {
      guard originConnections > 0, maxFields > 0, maxConnections > 0, maxConnectionsPerPeer > 0,
        maxHead ?? 1 > 0,
        maxRequest ?? 0 >= 0
      else { throw ValidationError("a limit must allow something; write 1 or more") }
    }

    var limits: GatewayLimits {
      var limits = GatewayLimits()
      if let maxHead {
        limits.head.bytes = maxHead
        limits.head.requestLine = min(limits.head.requestLine, maxHead)
      }
      limits.head.fields = maxFields
      if let maxRequest { limits.head.content = Int64(maxRequest) }
      if let maxSize { limits.storedContent = maxSize }
      if let headTimeout { limits.headTime = headTimeout }
      if let idleTimeout { limits.idleTime = idleTimeout }
      if let stallTimeout { limits.stallTime = stallTimeout }
      if let totalTimeout { limits.totalTime = totalTimeout }
      if let originTimeout {
        (limits.originTime, limits.originSilence) = (originTimeout, originTimeout)
      }
      limits.connections = maxConnections
      limits.connectionsPerPeer = maxConnectionsPerPeer
      return limits
    }
  }
#endif
