import Glibc
import Strategies

@testable import Reachability

extension MonitoredNetwork {
  /// Waits until the kernel has announced that the links have come up, which it does a while later:
  /// from then on it announces nothing that the test has not done.
  func waitForLinks() throws {
    for name in ["va", "vb"] {
      let look = "ip link show \(name) | grep -q 'state UP'"
      guard wait(until: { unsafe system(look) == 0 }) else {
        throw IsolatedThread.Failure(description: "the link \(name) did not come up")
      }
    }
  }
}

extension MonitoredNetwork {
  /// Has the monitor's thread ask as often as it may at once: it follows the next change only a
  /// while later.
  func useUpQuestions(of monitor: RouteMonitor) throws {
    for _ in 0..<AskBudget.burst {
      let timesAsked = monitor.timesAsked
      monitor.askAgain()
      guard wait(until: { monitor.timesAsked > timesAsked }) else {
        throw IsolatedThread.Failure(description: "the monitor did not ask again")
      }
    }
  }
}
