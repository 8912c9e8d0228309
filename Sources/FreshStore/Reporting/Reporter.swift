/// Someone who wants to know what the store decides and does: a log, a metric, a trace, a test.
///
/// Called synchronously, on whichever thread the event happens; it must be quick and must not call
/// the store.
public protocol Reporter: Sendable {
  /// Tells of one event.
  func report(_ event: StoreEvent)
}
