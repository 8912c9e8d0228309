#if Tracing
  internal import Strategies
  public import Tracing

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

    /// The event comes when the work is over, so its span begins in the past.
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
