/// Receives the store's decisions and actions: a log, a metric, a trace, a test.
///
/// Called synchronously, on the thread of the event; it must be quick and must not call the store.
public protocol Reporter: Sendable {
  /// Reports one event.
  func report(_ event: StoreEvent)
}
