import Glibc

@testable import Strategies

/// A network namespace of the calling thread with a monitor in it.
struct MonitoredNetwork {
  let monitor: RouteMonitor

  /// Enters a new namespace, makes the interface `va` with its peer `vb`, and starts the monitor.
  init(targets: [IPAddress], after lines: [String] = []) throws {
    try IsolatedThread.enterNewNetwork()
    try IsolatedThread.addInterface()
    for line in lines { try IsolatedThread.configure(line) }
    monitor = RouteMonitor(targets: targets)
  }

  /// Changes the network and returns what the monitor says of it: what was expected as soon as it
  /// says so, and else what it says after some seconds. Then it has to say the same once more when
  /// it has asked without being told.
  func state(after lines: [String], expecting code: String) throws -> Reachability {
    for line in lines { try IsolatedThread.configure(line) }
    guard wait(until: { monitor.reachability().code == code }) else {
      return monitor.reachability()
    }
    return try stateWhenAskedAgain()
  }

  /// What the monitor says when it has asked once more.
  func stateWhenAskedAgain() throws -> Reachability {
    let timesAsked = monitor.timesAsked
    monitor.askAgain()
    guard wait(until: { monitor.timesAsked > timesAsked }) else {
      throw IsolatedThread.Failure(description: "the monitor did not ask again")
    }
    return monitor.reachability()
  }

  /// Looks until the condition holds; false when that takes longer than five seconds.
  func wait(until condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(5)
    while !condition() {
      guard ContinuousClock.now < end else { return false }
      sched_yield()
    }
    return true
  }
}
