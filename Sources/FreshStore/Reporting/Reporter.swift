internal import Strategies

#if Logging
  public import Logging
#endif
#if Metrics
  public import Metrics
#endif
#if Tracing
  public import Tracing
#endif

/// Receives the store's decisions and actions: a log, a metric, a trace, a test.
/// The store calls it synchronously, on the thread of the event. It must be quick and must not call the store.
public protocol Reporter: Sendable {
  /// Reports one event.
  func report(_ event: StoreEvent)
}

/// Passes every event to several reporters, in order.
public struct CombinedReporter: Reporter {
  private let reporters: [any Reporter]

  /// Creates a reporter that forwards to these reporters.
  public init(_ reporters: [any Reporter]) {
    self.reporters = reporters
  }

  /// Reports to each of them.
  public func report(_ event: StoreEvent) {
    for reporter in reporters { reporter.report(event) }
  }
}

#if Logging
  /// Writes events to swift-log.
  ///
  /// | level | events |
  /// | --- | --- |
  /// | `debug` | decisions, fetches |
  /// | `info` | sweeps, prunes, marks of the fleet, pushed writes |
  /// | `warning` | failed fetches, parked or discarded writes, records that could not be restored |
  /// | `warning` | a fleet that is out of reach, a mark that it refuses |
  /// | `error` | values that could not be stored |
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

#if Metrics
  /// Counts events with swift-metrics:
  ///
  /// | metric | kind | dimensions |
  /// | --- | --- | --- |
  /// | `freshstore_decisions` | counter | `collection`, `outcome`, `decided_by` |
  /// | `freshstore_fetches` | counter, one per key | `collection`, `result` (`ok`, `failed`) |
  /// | `freshstore_fetch_duration` | timer | `collection`, `result` |
  /// | `freshstore_not_stored` | counter | none |
  /// | `freshstore_lease_waits` | counter | `collection` |
  /// | `freshstore_pushes` | counter, one per write | `collection`, `result` (the event's name) |
  /// | `freshstore_fleet_failures` | counter | none |
  /// | `freshstore_fleet_marks` | counter, one per mark | none |
  /// | `freshstore_fleet_marks_refused` | counter | none |
  /// | `freshstore_fleet_hits` | counter | `collection` |
  /// | `freshstore_swept`, `freshstore_pruned` | counter, records | none |
  public struct MetricsReporter: Reporter {
    private let factory: any MetricsFactory

    /// Creates a reporter on `factory`, by default the program's.
    public init(_ factory: any MetricsFactory = MetricsSystem.factory) {
      self.factory = factory
    }

    /// Counts one event.
    public func report(_ event: StoreEvent) {
      switch event {
      case .decided(let decision):
        count(
          "decisions",
          [
            ("collection", decision.collection), ("outcome", decision.outcome.rawValue),
            ("decided_by", decision.decidedBy),
          ])
      case .fetchBegan: break
      case .fetchEnded(let collection, let keys, let duration, let failure):
        let dimensions = [
          ("collection", collection), ("result", failure == nil ? "ok" : "failed"),
        ]
        count("fetches", dimensions, by: keys.count)
        Timer(label: "freshstore_fetch_duration", dimensions: dimensions, factory: factory)
          .recordNanoseconds(duration.wholeMilliseconds * 1_000_000)
      case .notStored: count("not_stored", [])
      case .waitedForLease(let collection, _, _):
        count("lease_waits", [("collection", collection)])
      case .wentAlone: count("fleet_failures", [])
      case .tookFleetMarks(let marks, _): count("fleet_marks", [], by: marks)
      case .refusedFleetMark: count("fleet_marks_refused", [])
      case .foundInFleet(let collection, _, _):
        count("fleet_hits", [("collection", collection)])
      case .swept(let result): count("swept", [], by: result.marked)
      case .pushed(let entry), .deferred(let entry, _, _), .parked(let entry, _),
        .rewritten(let entry, _):
        count("pushes", [("collection", entry.collection), ("result", event.name)])
      case .discarded(let entries):
        for entry in entries {
          count("pushes", [("collection", entry.collection), ("result", event.name)])
        }
      case .unrestored(let collection, _): count("unrestored", [("collection", collection)])
      case .pruned(let result): count("pruned", [], by: result.removed)
      }
    }

    private func count(_ name: String, _ dimensions: [(String, String)], by amount: Int = 1) {
      Counter(label: "freshstore_" + name, dimensions: dimensions, factory: factory)
        .increment(by: amount)
    }
  }
#endif

#if Tracing
  /// Records a span of swift-distributed-tracing for every fetch, sweep, prune and end of a push; a
  /// failed fetch sets the span's error. A decision becomes an event of the current span.
  public struct TracingReporter: Reporter {
    private let tracer: any Tracer

    /// Creates a reporter on `tracer`, by default the program's.
    public init(_ tracer: any Tracer = InstrumentationSystem.tracer) {
      self.tracer = tracer
    }

    /// Records one event.
    public func report(_ event: StoreEvent) {
      switch event {
      case .fetchBegan: break
      case .fetchEnded(_, _, let duration, let failure):
        record(event, lasting: duration, failure)
      case .swept, .pruned, .pushed, .deferred, .parked, .rewritten, .discarded, .unrestored:
        record(event, lasting: .zero, nil)
      case .decided, .notStored, .waitedForLease, .wentAlone, .tookFleetMarks, .refusedFleetMark,
        .foundInFleet:
        guard let context = ServiceContext.current,
          let span = tracer.activeSpan(identifiedBy: context)
        else { return }
        span.addEvent(SpanEvent(name: event.name, attributes: attributes(of: event)))
      }
    }

    /// The event is reported when the work is over, so its span begins in the past.
    private func record(_ event: StoreEvent, lasting duration: Duration, _ failure: FetchFailure?) {
      let end = DefaultTracerClock.now.nanosecondsSinceEpoch
      let length = UInt64(max(0, duration.wholeMilliseconds)) * 1_000_000
      let span = tracer.startSpan(
        "freshstore." + event.name,
        context: .current ?? .topLevel,
        at: PastInstant(nanosecondsSinceEpoch: end > length ? end - length : end))
      span.attributes = attributes(of: event)
      if let failure {
        span.recordError(failure)
        span.setStatus(SpanStatus(code: .error, message: failure.message))
      }
      span.end()
    }

    private func attributes(of event: StoreEvent) -> SpanAttributes {
      var attributes: SpanAttributes = [:]
      for (name, value) in event.figures { attributes["freshstore." + name] = value }
      return attributes
    }

    private struct PastInstant: TracerInstant {
      let nanosecondsSinceEpoch: UInt64

      static func < (left: PastInstant, right: PastInstant) -> Bool {
        left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
      }
    }
  }
#endif
