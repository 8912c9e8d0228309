#if Logging
  public import Logging

  /// Writes events to swift-log: decisions and fetches at `debug`, failed fetches at `warning`,
  /// values that could not be stored at `error`, sweeps, prunes, marks of the fleet and pushed writes at `info`,
  /// writes that were parked or discarded, records that could not be restored, a fleet that is out of reach, and a mark
  /// that it refuses, at `warning`.
  public struct LogReporter: Reporter {
    private let logger: Logger

    /// Creates a reporter that writes to `logger`.
    public init(_ logger: Logger = Logger(label: "freshstore")) {
      self.logger = logger
    }

    /// Writes one event; nothing is rendered below the logger's level.
    public func report(_ event: StoreEvent) {
      let level = Self.level(of: event)
      guard level >= logger.logLevel else { return }
      let metadata = event.figures.mapValues { Logger.MetadataValue.string($0) }
      logger.log(level: level, "\(event.name)", metadata: metadata)
    }

    private static func level(of event: StoreEvent) -> Logger.Level {
      switch event {
      case .decided, .fetchBegan, .waitedForLease, .foundInFleet,
        .fetchEnded(_, _, _, failure: nil):
        .debug
      case .fetchEnded, .wentAlone, .tookFleetMarks(_, .some), .refusedFleetMark: .warning
      case .notStored: .error
      case .swept, .pruned, .pushed, .deferred, .rewritten, .tookFleetMarks: .info
      case .parked, .discarded, .unrestored: .warning
      }
    }
  }
#endif
