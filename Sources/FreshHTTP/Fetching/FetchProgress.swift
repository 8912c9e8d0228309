internal import Synchronization

/// How far a fetch has come that may be given up at any time.
final class FetchProgress: Sendable {
  private let last: Mutex<HTTPAddress>

  init(_ first: HTTPAddress) { last = Mutex(first) }

  /// The address that was asked last.
  var address: HTTPAddress { last.withLock { $0 } }

  /// An address is about to be asked.
  func note(_ address: HTTPAddress) { last.withLock { $0 = address } }
}
