internal import BenchmarkKit
internal import Foundation
internal import Glibc
internal import Reachability
internal import Strategies

/// The delay between a change of the routes and that of the answer.
enum FlipLatency {
  private static let columns = ["monitor", "change", "flips", "p50 µs", "p99 µs", "max µs"]

  /// Flips of our monitor: apart from each other, and without any pause between them.
  static func ours(isQuick: Bool) throws -> Section {
    try Network.enter()
    let monitor = RouteMonitor(target: Network.origin)
    // New interfaces keep announcing themselves for a while.
    Thread.sleep(forTimeInterval: 2.5)
    let apart = try flips(of: monitor, count: isQuick ? 20 : 1_000, pause: 0.02)
    let close = try flips(of: monitor, count: isQuick ? 20 : 200, pause: 0)
    var section = Section("Time until a change is seen", columns: columns)
    add(apart.latencies, to: &section, "RouteMonitor", "default comes and goes, 20 ms apart")
    add(close.latencies, to: &section, "RouteMonitor", "the same without a pause")
    section.judge(
      "RouteMonitor, p99 of flips 20 ms apart", apart.latencies.percentile(99) / 1_000, below: 1,
      "ms")
    section.judge(
      "RouteMonitor, slowest of flips 20 ms apart", apart.latencies.maximum / 1_000, below: 1, "ms")
    section.judge(
      "RouteMonitor, p99 of flips without a pause", close.latencies.percentile(99) / 1_000,
      below: 1, "ms")
    section.add(
      note:
        "while changes follow each other without a pause, RouteMonitor asks for its routes once "
        + "in 10 ms, which spares the machine in a storm and shows here")
    let lost = apart.lost + close.lost
    if !lost.isEmpty {
      section.add(
        note: "NOT SEEN in 5 s, and counted as 5 s: \(lost.filter(\.self).count) times that the "
          + "default came, \(lost.filter { !$0 }.count) times that it went")
    }
    section.add(Figure("RouteMonitor, changes not seen in 5 s", Double(lost.count), "changes"))
    section.add(
      note: "counted from before the call that changes the route, which itself takes "
        + "\(apart.calls.median.figures) µs (median)")
    return section
  }

  private static func flips(
    of monitor: RouteMonitor, count: Int, pause: Double
  ) throws -> (latencies: Samples, calls: Samples, lost: [Bool]) {
    let routes = try RouteSocket()
    var latencies: [Double] = []
    var calls: [Double] = []
    var lost: [Bool] = []
    for index in 0..<count {
      let isThere = index.isMultiple(of: 2)
      // The pause is the measured condition: separate changes, or none between them.
      Thread.sleep(forTimeInterval: pause)
      let start = ContinuousClock.now
      try routes.setDefault(isThere)
      let changed = ContinuousClock.now
      while monitor.reachability().isProvablyOffline == isThere {
        guard ContinuousClock.now < start + .seconds(5) else {
          lost.append(isThere)
          break
        }
        sched_yield()
      }
      latencies.append((ContinuousClock.now - start).microseconds)
      calls.append((changed - start).microseconds)
    }
    return (Samples(latencies), Samples(calls), lost)
  }

  /// Flips of GLib's monitor, whose context is driven without a pause.
  static func glib(isQuick: Bool) throws -> Section {
    try Network.enter()
    let monitor = try GLibMonitor()
    try monitor.drive(for: 2.5)
    let routes = try RouteSocket()
    var latencies: [Bool: [Double]] = [:]
    for index in 0..<(isQuick ? 2 : 20) {
      let isThere = index.isMultiple(of: 2)
      let start = ContinuousClock.now
      try routes.setDefault(isThere)
      while monitor.isAvailable != isThere {
        guard ContinuousClock.now < start + .seconds(10) else {
          throw Failure.failed("GLib did not see a change in 10 s")
        }
        monitor.turn()
      }
      latencies[isThere, default: []].append((ContinuousClock.now - start).microseconds)
      // It checks all routes once more a second after a change.
      try monitor.drive(for: 1.5)
    }
    var section = Section("Time until a change is seen", columns: columns)
    for isThere in [true, false] {
      add(
        Samples(latencies[isThere, default: []]), to: &section, "GLib network_available",
        "default \(isThere ? "comes" : "goes"), 1.5 s apart")
    }
    section.add(
      note:
        "GLib's main context was turned without a pause, so that no thread had to be woken for it")
    return section
  }

  private static func add(
    _ samples: Samples, to section: inout Section, _ monitor: String, _ change: String
  ) {
    let values = [samples.median, samples.percentile(99), samples.maximum]
    let count = samples.count
    section.add(row: [monitor, change, "\(count)"] + values.map(\.figures))
    for (name, value) in zip(["p50", "p99", "max"], values) {
      section.add(Figure("\(monitor), \(change): \(name)", value, "µs"))
    }
  }
}
