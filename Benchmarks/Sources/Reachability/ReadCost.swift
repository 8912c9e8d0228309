internal import BenchmarkKit
internal import Foundation
internal import Reachability
internal import Strategies

/// The cost of one read.
enum ReadCost {
  /// The network of the reads.
  enum Setting: String {
    /// A network of our own with a route to one of two addresses, and no default route.
    case few
    /// The same among 10,000 other routes.
    case many
    /// The network the program was started in.
    case host

    var title: String {
      switch self {
      case .few: "Cost of a read, few routes"
      case .many: "Cost of a read, 10,000 routes"
      case .host: "Cost of a read, in the network of this machine"
      }
    }

    /// Makes the network and returns the addresses to ask about.
    func prepare() throws -> [(IPAddress, String)] {
      if self == .host { return [(Network.origin, Network.originText)] }
      try Network.enter()
      try Network.configure("route add \(Network.originText) via 10.77.0.1")
      if self == .many { try RouteBatch.additions(10_000).run() }
      return [(Network.origin, Network.originText), (Network.nowhere, Network.nowhereText)]
    }
  }

  static func measure(in setting: Setting, isQuick: Bool) throws -> Section {
    let contestants = try ReadContestants(setting.prepare())
    // New interfaces keep announcing themselves for a while.
    Thread.sleep(forTimeInterval: isQuick ? 0.1 : 2.5)
    let harness = RoundRobin(
      samples: isQuick ? 5 : 501, sampleTime: .microseconds(isQuick ? 200 : 500))
    let costs = harness.nanosecondsPerTurn(of: contestants.all)
    let floor = costs[0].median
    let peer = zip(contestants.all, costs).first { $0.0.name == ReadContestants.peerRead }?.1.median
    var section = Section(
      setting.title,
      columns: ["read", "answer", "median ns", "p99 ns", "÷ floor", "÷ GLib available"]
    )
    for (contestant, cost) in zip(contestants.all, costs) {
      section.add(row: [
        contestant.name, contestant.answer, cost.median.figures, cost.percentile(99).figures,
        (cost.median / floor).figures, peer.map { (cost.median / $0).figures } ?? "–",
      ])
      let name = [contestant.name, contestant.answer].filter { !$0.isEmpty }.joined(separator: ", ")
      section.add(Figure("\(name): median", cost.median, "ns"))
      section.add(Figure("\(name): p99", cost.percentile(99), "ns"))
      if contestant.name.hasPrefix("RouteMonitor") {
        section.judge(name, cost.median, below: 5, "ns")
      }
    }
    section.add(note: "peer: \(contestants.peer)")
    return section
  }
}
