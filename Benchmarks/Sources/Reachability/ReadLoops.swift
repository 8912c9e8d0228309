internal import Reachability
internal import Strategies
internal import Synchronization

/// The measured loops, all of one shape: read, check whether the answer is a proof of being
/// offline, count.
enum ReadLoops {
  @inline(never)
  static func inlineLoad(_ shared: SharedWord, _ turns: Int) -> Int {
    var count = 0
    for _ in 0..<turns where shared.word.load(ordering: .acquiring) & 0xFF != 1 { count += 1 }
    return count
  }

  @inline(never)
  static func calledLoad(_ shared: SharedWord, _ turns: Int) -> Int {
    var count = 0
    for _ in 0..<turns where shared.load() & 0xFF != 1 { count += 1 }
    return count
  }

  @inline(never)
  static func monitor(_ monitor: RouteMonitor, _ turns: Int) -> Int {
    var count = 0
    for _ in 0..<turns where monitor.reachability().isProvablyOffline { count += 1 }
    return count
  }

  @inline(never)
  static func existential(_ provider: Provider, _ turns: Int) -> Int {
    var count = 0
    for _ in 0..<turns where provider.value.reachability().isProvablyOffline { count += 1 }
    return count
  }

  @inline(never)
  static func kernel(_ kernel: KernelReachability, _ turns: Int) -> Int {
    var count = 0
    for _ in 0..<turns where kernel.reachability().isProvablyOffline { count += 1 }
    return count
  }

  @inline(never)
  static func table(_ table: RouteTableReachability, _ turns: Int) -> Int {
    var count = 0
    for _ in 0..<turns where table.reachability().isProvablyOffline { count += 1 }
    return count
  }

  @inline(never)
  static func isAvailable(_ monitor: GLibMonitor, _ turns: Int) -> Int {
    var count = 0
    for _ in 0..<turns where !monitor.isAvailable { count += 1 }
    return count
  }

  @inline(never)
  static func canReach(_ monitor: GLibMonitor, _ address: GLibMonitor.Address, _ turns: Int) -> Int
  {
    var count = 0
    for _ in 0..<turns where !monitor.canReach(address) { count += 1 }
    return count
  }
}
