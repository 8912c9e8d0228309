internal import BenchmarkKit
internal import Foundation
internal import Reachability
internal import Strategies

/// The cost of 50,000 changes of routes for a monitor, and whether it is right afterwards.
enum Storm {
  private static let columns = [
    "listener", "storm took ms", "CPU ms", "CPU µs a change", "wake-ups", "after the storm",
    "after the default went",
  ]

  static func measure(_ listener: Listener, isQuick: Bool) throws -> Section {
    let changes = isQuick ? 5_000 : 50_000
    try Network.enter()
    try Network.configure("route add default via 10.77.0.1")
    switch listener {
    case .nobody:
      return try run("nobody", changes, verdict: { "" }, during: { try $0() })
    case .ours:
      let monitor = RouteMonitor(target: Network.origin)
      return try run(
        "RouteMonitor", changes, verdict: { monitor.reachability().code }, during: { try $0() })
    case .glib:
      let monitor = try GLibMonitor()
      return try run(
        "GLib", changes, verdict: { monitor.isAvailable ? "available" : "not available" },
        during: { try monitor.drive(during: $0) })
    }
  }

  private static func run(
    _ name: String, _ changes: Int, verdict: () -> String,
    during: (@escaping @Sendable () throws -> Void) throws -> Void
  ) throws -> Section {
    let batch = try RouteBatch.churn(changes)
    // New interfaces keep announcing themselves for a while.
    try during { Thread.sleep(forTimeInterval: 2.5) }
    let before = ProcessUsage.now
    let start = ContinuousClock.now
    try during { try batch.run() }
    let duration = ContinuousClock.now - start
    let afterwards = verdict()
    // Work that was put off during the storm is done now, and belongs to its cost.
    try during { Thread.sleep(forTimeInterval: 3) }
    let after = ProcessUsage.now
    try during {
      try Network.configure("route del default")
      // A monitor that never follows does not report that: it has failed when this time is over.
      Thread.sleep(forTimeInterval: 3)
    }
    let time = (after.processorTime - before.processorTime).milliseconds
    let sleeps = after.sleeps - before.sleeps
    var section = Section("A storm of \(changes) changes of routes", columns: columns)
    section.add(row: [
      name, duration.milliseconds.figures, time.figures,
      (time * 1_000 / Double(changes)).figures, "\(sleeps)", afterwards, verdict(),
    ])
    if name == "RouteMonitor" {
      section.add(note: "RouteMonitor asks for its routes at most once when it is woken")
    }
    section.add(Figure("\(name): CPU", time, "ms"))
    section.add(Figure("\(name): wake-ups", Double(sleeps), "times"))
    section.add(Figure("\(name): duration of the storm", duration.milliseconds, "ms"))
    return section
  }
}
