import Foundation
import Glibc
import NetworkStates
import Strategies
import Synchronization

@testable import Reachability

/// A network namespace of the calling thread with a monitor in it.
struct MonitoredNetwork {
  let monitor: RouteMonitor

  /// Enters a new namespace, makes the interface `va` with its peer `vb`, and starts the monitor.
  init(
    targets: [IPAddress], settings: [String: String] = [:], after lines: [String] = []
  ) throws {
    try IsolatedThread.enterNewNetwork()
    for (setting, value) in settings { try IsolatedThread.set(setting, to: value) }
    try IsolatedThread.addInterface()
    for line in lines { try IsolatedThread.configure(line) }
    monitor = RouteMonitor(targets: targets)
  }

  /// Applies the states of the walk in a new namespace, one after the other, and returns the codes
  /// that the monitor reported in between.
  static func codes(of walk: NetworkWalk) async throws -> [String] {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(
        targets: walk.addresses.compactMap { IPAddress($0) }, settings: walk.settings,
        after: Array(walk.preparation.dropFirst(NetworkWalk.oneInterface.count)))
      return try walk.states.map { try network.state(after: $0.lines, expecting: $0.code).code }
    }
  }

  /// Changes the network and returns the state that the monitor reports: the expected state as soon
  /// as it appears, otherwise the state after some seconds. Then the monitor has to report the same
  /// state again after an unprompted check.
  func state(after lines: [String], expecting code: String) throws -> Reachability {
    for line in lines { try IsolatedThread.configure(line) }
    guard wait(until: { monitor.reachability().code == code }) else {
      return monitor.reachability()
    }
    return try stateWhenAskedAgain()
  }

  /// The state that the monitor reports after one more check.
  func stateWhenAskedAgain() throws -> Reachability {
    let timesAsked = monitor.timesAsked
    monitor.askAgain()
    guard wait(until: { monitor.timesAsked > timesAsked }) else {
      throw IsolatedThread.Failure(description: "the monitor did not ask again")
    }
    return monitor.reachability()
  }

  /// Polls until the condition holds; false after more than a minute, which passes only when a test
  /// fails.
  func wait(until condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
      guard ContinuousClock.now < end else { return false }
      // A busy loop would take the processor from the thread that makes the condition true.
      _ = poll(nil, 0, 1)
    }
    return true
  }

  /// Adds or removes the default route directly over netlink, so that the kernel has made the
  /// change when this returns.
  func setDefaultRoute(_ isThere: Bool) throws {
    var body: [UInt8] = [2, 0, 0, 0, 254, 4, 0, 1]
    body += RouteMessages.number(0) + RouteMessages.attribute(5, [10, 77, 0, 1])
    var message = RouteMessages.message(isThere ? 24 : 25, 1, body)
    // NLM_F_REQUEST and NLM_F_ACK, and NLM_F_CREATE for a new one.
    message.replaceSubrange(6..<8, with: isThere ? [0x05, 0x04] : [0x05, 0])
    let socket = try NetlinkSocket()
    try socket.send(message)
    guard let reply = try socket.receive(), reply[...].native(at: 16) == UInt32(0) else {
      throw IsolatedThread.Failure(description: "the route was refused")
    }
  }
}

extension MonitoredNetwork {
  /// A monitor in this namespace, created on a thread that is denied netlink.
  func monitorWithoutNetlink(for target: IPAddress) throws -> RouteMonitor {
    let made = Mutex<Result<RouteMonitor, any Error>?>(nil)
    Thread.detachNewThread {
      let result = Result {
        try IsolatedThread.forbidNetlink()
        return RouteMonitor(target: target)
      }
      made.withLock { $0 = result }
    }
    _ = wait { made.withLock { $0 != nil } }
    guard let result = made.withLock({ $0 }) else {
      throw IsolatedThread.Failure(description: "the thread did not answer")
    }
    return try result.get()
  }
}
