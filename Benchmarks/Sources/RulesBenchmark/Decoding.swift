internal import BenchmarkKit
internal import Foundation
internal import Rules

/// The cost of verification for a program that decodes anyway.
enum Decoding {
  static func measure(isQuick: Bool) throws -> Section {
    var section = Section(
      "Decoding", columns: ["decoding", "objects", "median µs", "p99 µs", "÷ plain"])
    for count in [1, 100] {
      let contestants = try contestants(of: count)
      let harness = RoundRobin(
        samples: isQuick ? 5 : 301, sampleTime: .microseconds(isQuick ? 100 : 1_000))
      let costs = harness.nanosecondsPerTurn(of: contestants)
      for (contestant, cost) in zip(contestants, costs) {
        let ratio = cost.median / costs[0].median
        section.add(row: [
          contestant.name, contestant.answer, (cost.median / 1_000).figures,
          (cost.percentile(99) / 1_000).figures, ratio.figures,
        ])
        let name = "\(contestant.name), \(contestant.answer)"
        section.add(Figure("\(name): median", cost.median / 1_000, "µs"))
        if contestant.name == ruled { section.judge("\(name) ÷ plain", ratio, below: 1.5, "times") }
      }
    }
    section.add(
      note:
        "the ordinary decoding of the ruled type throws at the first failure; verifying collects")
    return section
  }

  private static let ruled = "decode(verify:) of ruled fields"

  /// The contestants on one object, or on a list; the plain one first.
  static func contestants(of count: Int) throws -> [Contestant] {
    let order = PlainOrder(
      number: 1_204, customer: "Grace Hopper", mail: "grace@navy.example.org", country: "BE",
      amount: 129.95, quantity: 3, discount: 0.15, isPaid: true, note: "leave at the latch",
      coupon: nil)
    if count == 1 {
      return contestants(
        PlainOrder.self, RuledOrder.self, "1", try JSONEncoder().encode(order))
    }
    return contestants(
      [PlainOrder].self, [RuledOrder].self, "\(count)",
      try JSONEncoder().encode([PlainOrder](repeating: order, count: count)))
  }

  private static func contestants<Plain: Decodable & Sendable, Ruled: Decodable & Sendable>(
    _ plain: Plain.Type, _ ruled: Ruled.Type, _ answer: String, _ data: Data
  ) -> [Contestant] {
    [
      Contestant("plain, JSONDecoder alone", answer: answer) {
        DecodingLoops.decode(plain, data, $0)
      },
      Contestant("decode(verify:) of plain fields", answer: answer) {
        DecodingLoops.verify(plain, data, $0)
      },
      Contestant("JSONDecoder alone of ruled fields", answer: answer) {
        DecodingLoops.decode(ruled, data, $0)
      },
      Contestant(Self.ruled, answer: answer) { DecodingLoops.verify(ruled, data, $0) },
    ]
  }
}
