internal import Foundation
internal import Glibc
internal import Synchronization

/// GLib's `GNetworkMonitor` over netlink, and the main context that drives it.
///
/// It belongs to the thread that makes it: that thread must drive the context, because the monitor
/// learns of nothing otherwise.
final class GLibMonitor {
  private let library: GLibLibrary
  private let monitor: UInt

  init() throws(Failure) {
    // Without this GLib may ask NetworkManager or the portal of a sandbox instead.
    unsafe setenv("GIO_USE_NETWORK_MONITOR", "netlink", 1)
    library = try GLibLibrary()
    monitor = library.defaultMonitor()
    guard monitor != 0 else { throw .failed("GLib has no network monitor") }
  }

  /// Its version and the kind of its monitor.
  var name: String {
    let name = unsafe UnsafePointer<CChar>(bitPattern: library.typeName(monitor))
    let kind = unsafe name.map { unsafe String(cString: $0) } ?? "no type"
    return "GLib \(library.version), \(kind)"
  }

  /// `g_network_monitor_get_network_available()`.
  @inline(__always)
  var isAvailable: Bool { library.isAvailable(monitor) != 0 }

  /// `g_network_monitor_can_reach()`, without an error to fill in, which would only cost time.
  @inline(__always)
  func canReach(_ address: Address) -> Bool {
    library.canReach(monitor, address.address, 0, 0) != 0
  }

  /// An address and a port in GLib's own form.
  struct Address {
    fileprivate let address: UInt
  }

  func address(_ text: String) throws(Failure) -> Address {
    let address = unsafe text.withCString { library.makeAddress(UInt(bitPattern: $0), 443) }
    guard address != 0 else { throw .failed("GLib cannot read the address \(text)") }
    return Address(address: address)
  }

  /// Does one turn of the main context, without waiting.
  func turn() { _ = library.iterate(0, 0) }

  /// Drives the main context for a time.
  func drive(for seconds: Double) throws {
    // Another thread sleeps; this one turns the context until that wakes.
    try drive { Thread.sleep(forTimeInterval: seconds) }
  }

  /// Drives the main context, asleep when there is nothing to do, while `work` runs on another
  /// thread.
  func drive(during work: @escaping @Sendable () throws -> Void) throws {
    let outcome = Outcome()
    let wake = library.wake
    Thread.detachNewThread {
      outcome.set(Result { try work() })
      wake(0)
    }
    while !outcome.isSet { _ = library.iterate(0, 1) }
    try outcome.get()
  }

  private final class Outcome: Sendable {
    private let result = Mutex<Result<Void, any Error>?>(nil)

    var isSet: Bool { result.withLock { $0 != nil } }

    func set(_ value: Result<Void, any Error>) { result.withLock { $0 = value } }

    func get() throws { try result.withLock { $0 }?.get() }
  }
}
