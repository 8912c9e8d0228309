import Foundation
import Glibc
import Reachability
import Strategies

/// A network namespace of one thread, with a monitor in it: a route to 203.0.113.9 comes and goes
/// with the lines `up` and `down` on standard input.
enum IsolatedNetwork {
  /// The monitor; `nil` where this process may not create a namespace.
  static func start() async -> RouteMonitor? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        guard enter(), let target = IPAddress("203.0.113.9") else {
          return continuation.resume(returning: nil)
        }
        continuation.resume(returning: RouteMonitor(target: target))
        while let line = readLine() {
          let began = SyncWorker.nanoseconds()
          if line == "up" {
            SyncWorker.say("route \(began)")
            configure("route add default via 10.77.0.1")
          } else {
            configure("route del default")
          }
        }
      }
    }
  }

  private static func enter() -> Bool {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = unsafe dlsym(nil, "unshare"),
      unsafe unsafeBitCast(symbol, to: Unshare.self)(0x4000_0000) == 0
    else { return false }
    let lines = [
      "link set lo up", "link add va type veth peer name vb", "link set vb up", "link set va up",
      "addr add 10.77.0.2/24 dev va",
    ]
    return lines.allSatisfy { configure($0) }
  }

  @discardableResult
  private static func configure(_ line: String) -> Bool {
    unsafe system("ip \(line)") == 0
  }
}
