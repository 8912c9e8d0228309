internal import BenchmarkKit
internal import Foundation
internal import Glibc
internal import Reachability
internal import Strategies

/// The cost of having a monitor.
enum StartCost {
  static func measure(isQuick: Bool) throws -> Section {
    try Network.enter()
    try Network.configure("route add default via 10.77.0.1")
    var section = Section("Cost of a monitor", columns: ["what", "p50", "p99", "unit"])
    let times = Samples(startTimes(isQuick ? 20 : 500))
    section.add(row: [
      "start: the first answer is there", times.median.figures, times.percentile(99).figures, "µs",
    ])
    section.add(Figure("start: p50", times.median, "µs"))
    section.add(Figure("start: p99", times.percentile(99), "µs"))
    // Threads that were told to end may still be ending.
    Thread.sleep(forTimeInterval: 0.5)
    let count = min(isQuick ? 50 : 1_000, (try raiseDescriptorLimit() - 100) / 4)
    let before = try Footprint.now
    let monitors = (0..<count).map { _ in RouteMonitor(target: Network.origin) }
    // New threads touch their stacks when they first run.
    Thread.sleep(forTimeInterval: 0.5)
    let after = try Footprint.now
    guard monitors.allSatisfy({ $0.reachability() == .online }) else {
      throw Failure.failed("a monitor among \(count) is wrong")
    }
    let rows = [
      ("resident memory", after.memory - before.memory, "KiB"),
      ("descriptors", after.descriptors - before.descriptors, "each"),
      ("threads", after.threads - before.threads, "each"),
    ]
    for (name, difference, unit) in rows {
      let each = Double(difference) / Double(count)
      section.add(row: ["\(name), mean of \(count) monitors", each.figures, "", unit])
      section.add(Figure("\(name) of a monitor", each, unit))
    }
    return section
  }

  private static func startTimes(_ count: Int) -> [Double] {
    (0..<count).map { _ in
      let start = ContinuousClock.now
      let monitor = RouteMonitor(target: Network.origin)
      let end = ContinuousClock.now
      precondition(monitor.reachability() == .online, "the monitor is right from the start")
      return (end - start).microseconds
    }
  }

  /// Lets this process open as many files as it may, and returns their number.
  private static func raiseDescriptorLimit() throws(Failure) -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      throw .failed("getrlimit: errno \(errno)")
    }
    limit.rlim_cur = limit.rlim_max
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      throw .failed("setrlimit: errno \(errno)")
    }
    return Int(clamping: limit.rlim_cur)
  }
}
