#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway
  internal import FreshHTTP

  /// The limits of a gateway for clients, origins and responses.
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
      help: ArgumentHelp(
        "The most bytes that all records may take; what is beyond goes once a minute, and whenever a sixteenth of it, or "
          + "1M, was stored, and what was asked for again lately goes last. (default: no limit)",
        valueName: "size"), transform: SizeText.parse)
    var maxStore: Int?

    @Option(
      help: ArgumentHelp(
        "The memory for copies that are asked for often; others are read from the file. (default: 64M)",
        valueName: "size"), transform: SizeText.parse)
    var memory: Int?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long the head of a request may take; 408 beyond. (default: 10s)",
        valueName: "duration"), transform: DurationText.positive)
    var headTimeout: Duration?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long a connection may wait for its next request; it is closed then. (default: 1m)",
        valueName: "duration"), transform: DurationText.positive)
    var idleTimeout: Duration?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long a client may send nothing of its content (408), or take nothing of its answer. (default: 1m)",
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
        "How long an origin may take to answer, or be silent; beyond, a copy stands in, or it is 504. (default: 1m)",
        valueName: "duration"), transform: DurationText.positive)
    var originTimeout: Duration?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        """
        How long past its freshness a copy may stand in for an origin that is out of reach or gives no answer, and for \
        one that answers with 500, 502, 503 or 504; 0 for not at all. An answer that forbids it (must-revalidate) never \
        does. It bounds the stale-if-error of answers and requests, too, and not their stale-while-revalidate, within \
        which a copy answers while the origin is asked, whether or not that answers then. (default: no limit for the \
        former, and for the latter as long as stale-if-error says, or a day without it)
        """, valueName: "duration"), transform: DurationText.span)
    var maxStale: Duration?

    @Option(
      help: ArgumentHelp(
        """
        Leave an origin alone for a while after so many failures in a row; an address that fails again and again counts \
        once, and no 502, 503 or 504 does of one that has answered others well within --origin-pause. Where a copy stands \
        in, one request without an answer is enough. 0 for never.
        """, valueName: "count"))
    var originFailures = 5

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        """
        The longest time for which it is left alone, whatever its answers name (Retry-After); without that the first time \
        is 1s, and each further one up to twice as long. (default: 10s)
        """, valueName: "duration"),
      transform: DurationText.positive)
    var originPause: Duration?

    @Option(
      help: ArgumentHelp(
        "The most connections; 503 beyond, or with --certificate no handshake.", valueName: "count")
    )
    var maxConnections = 10_000

    @Option(
      help: ArgumentHelp("The most connections of one peer; 503 beyond.", valueName: "count"))
    var maxConnectionsPerPeer = 5_000

    @Option(
      help: ArgumentHelp(
        """
        The most connections to one origin; a request beyond waits, which does not count as a failure of the origin. No \
        more than half of them may wait for one client that is slow.
        """, valueName: "count"))
    var originConnections = 256

    func validate() throws {
      let limits = [
        ("--origin-connections", originConnections), ("--max-fields", maxFields),
        ("--max-connections", maxConnections),
        ("--max-connections-per-peer", maxConnectionsPerPeer),
      ]
      if let (name, _) = limits.first(where: { $0.1 <= 0 }) {
        throw ValidationError("\(name) must allow something; write 1 or more")
      }
      guard maxHead ?? Self.leastHead >= Self.leastHead else {
        throw ValidationError(
          "--max-head must be \(Self.leastHead) or more; fewer bytes hold no ordinary request")
      }
      guard maxStore != 0 else {
        throw ValidationError("--max-store 0 would keep nothing; leave it out for no limit")
      }
      guard maxRequest ?? 0 >= 0 else {
        throw ValidationError("--max-request must be 0 or more")
      }
      guard originFailures >= 0 else {
        throw ValidationError("--origin-failures must be 0 or more; 0 leaves no origin alone")
      }
      guard originFailures > 0 || originPause == nil else {
        throw ValidationError("--origin-pause is for --origin-failures of 1 or more")
      }
    }

    private static let leastHead = 128

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
      limits.originFailures = originFailures
      if let originPause { limits.originPause = originPause }
      limits.connections = maxConnections
      limits.connectionsPerPeer = maxConnectionsPerPeer
      return limits
    }
  }
#endif
