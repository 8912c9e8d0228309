import Glibc
import Strategies

@testable import Reachability

extension MonitoredNetwork {
  /// Waits until the kernel has announced that the links have come up, which it does with a delay:
  /// from then on it announces only the test's own changes.
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
  /// Makes the monitor's thread use up its burst of queries, so that it follows the next change only
  /// after a delay.
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
