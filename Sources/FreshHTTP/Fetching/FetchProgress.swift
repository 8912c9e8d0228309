internal import Synchronization

/// The progress of a fetch that may be abandoned at any time.
final class FetchProgress: Sendable {
  private let last: Mutex<HTTPAddress>

  init(_ first: HTTPAddress) { last = Mutex(first) }

  /// The address that was requested last.
  var address: HTTPAddress { last.withLock { $0 } }

  /// Notes an address that is about to be requested.
  func note(_ address: HTTPAddress) { last.withLock { $0 = address } }
}
