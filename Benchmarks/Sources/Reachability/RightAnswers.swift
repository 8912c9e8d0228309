internal import BenchmarkKit
internal import Foundation
internal import Reachability
internal import Strategies

/// The correctness of the answers in nineteen states of a network.
///
/// IPv6 is off, as on a host without it: with it, some changes are announced once more for IPv6.
enum RightAnswers {
  private static let names = [
    "naive /proc", "UDP connect", "GLib available", "GLib can_reach", "RouteMonitor",
  ]

  static func measure(isQuick: Bool) throws -> Section {
    try Network.enter(withIPv6: false)
    let monitor = RouteMonitor(target: Network.origin)
    let kernel = KernelReachability(target: Network.origin)
    let glib = try optionalGLib()
    let address = try glib?.address(Network.originText)
    var wrong = [Int](repeating: 0, count: names.count)
    var section = Section(
      "Right answers in \(NetworkState.all.count) states", columns: ["state", "truth"] + names)
    for state in NetworkState.all {
      try enter(state, glib: glib, isQuick: isQuick)
      let answers: [Bool?] = [
        try NaiveRouteFile.hasDefaultRoute(), !kernel.reachability().isProvablyOffline,
        glib?.isAvailable, address.flatMap { glib?.canReach($0) },
        !monitor.reachability().isProvablyOffline,
      ]
      for (index, answer) in answers.enumerated() where answer == !state.isOnline {
        wrong[index] += 1
      }
      section.add(
        row: [state.name, text(state.isOnline)]
          + answers.map { answer in
            answer.map { text($0) + ($0 == state.isOnline ? "" : " ✗") } ?? "–"
          })
    }
    section.add(
      row: ["wrong", ""]
        + zip(names, wrong).map { name, count in
          glib == nil && name.hasPrefix("GLib") ? "–" : "\(count)"
        })
    for (name, count) in zip(names, wrong) where glib != nil || !name.hasPrefix("GLib") {
      section.add(Figure("\(name): wrong", Double(count), "states"))
    }
    let right = zip(names, wrong).filter { glib != nil || !$0.0.hasPrefix("GLib") }
      .map { name, count in "\(name) \(NetworkState.all.count - count)" }
    section.add(
      note: "right of \(NetworkState.all.count): \(right.joined(separator: ", "))")
    section.add(note: "peer: \(glib?.name ?? Failure.noGLib.description)")
    return section
  }

  private static func optionalGLib() throws(Failure) -> GLibMonitor? {
    do throws(Failure) {
      return try GLibMonitor()
    } catch {
      guard case .noGLib = error else { throw error }
      return nil
    }
  }

  /// Leads to the state and gives everyone more time than GLib takes, which checks all routes once
  /// more a second after a change; its context is driven all the while.
  private static func enter(_ state: NetworkState, glib: GLibMonitor?, isQuick: Bool) throws {
    let lines = state.lines
    let batch = state.newRoutes > 0 ? try RouteBatch.additions(state.newRoutes) : nil
    let change: @Sendable () throws -> Void = {
      try Network.configure(lines)
      try batch?.run()
      // GLib checks its routes again a second after a change; it is asked after that.
      Thread.sleep(forTimeInterval: isQuick ? 0.1 : batch == nil ? 1.6 : 5)
    }
    if let glib { try glib.drive(during: change) } else { try change() }
  }

  private static func text(_ isOnline: Bool) -> String { isOnline ? "on" : "off" }
}
