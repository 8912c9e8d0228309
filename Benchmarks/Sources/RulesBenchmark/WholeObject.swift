internal import BenchmarkKit
internal import Rules

/// The cost of a check of an object of ten fields.
enum WholeObject {
  static func measure(isQuick: Bool) -> Section {
    let contestants = contestants()
    let harness = RoundRobin(
      samples: isQuick ? 5 : 501, sampleTime: .microseconds(isQuick ? 100 : 500))
    let costs = harness.nanosecondsPerTurn(of: contestants)
    var section = Section(
      "A check of ten fields",
      columns: ["check", "object", "median µs", "p99 µs", "÷ by hand", "a second"])
    for (index, (contestant, cost)) in zip(contestants, costs).enumerated() {
      // The first two are written by hand: one for each object.
      let hand = costs[index % 2].median
      section.add(row: [
        contestant.name, contestant.answer, (cost.median / 1_000).figures,
        (cost.percentile(99) / 1_000).figures, (cost.median / hand).figures,
        (1e9 / cost.median).figures,
      ])
      let name = "\(contestant.name), \(contestant.answer)"
      section.add(Figure("\(name): median", cost.median / 1_000, "µs"))
      section.add(Figure("\(name): p99", cost.percentile(99) / 1_000, "µs"))
    }
    section.add(note: "by hand: ten conditions in one function, which collects names and codes")
    return section
  }

  /// The contestants, each on the valid object and then on the broken one.
  static func contestants() -> [Contestant] {
    let (schema, fields) = (schema, fields)
    return both("by hand") { registration, turns in
      WholeObjectLoops.hand(registration, turns)
    }
      + both("Schema") { WholeObjectLoops.schema(schema, $0, .all, $1) }
      + both("Schema, first issue") { WholeObjectLoops.schema(schema, $0, .first, $1) }
      + both("Rule.all of fields") { WholeObjectLoops.rule(fields, $0, $1) }
  }

  private static func both(
    _ name: String, _ run: @escaping (Registration, Int) -> Int
  ) -> [Contestant] {
    [
      Contestant(name, answer: "valid") { run(.valid, $0) },
      Contestant(name, answer: "three failures") { run(.broken, $0) },
    ]
  }

  private static let schema = Schema<Registration> {
    Field(\.name, "name").rule(.length(1...40))
    Field(\.nickname, "nickname").rule(.notEmpty)
    Field(\.country, "country").rule(.oneOf(["BE", "NL", "LU"]))
    Field(\.language, "language").rule(.oneOf(["nl", "fr", "de"]))
    Field(\.age, "age").rule(.between(18, 120))
    Field(\.seats, "seats").rule(.atLeast(1))
    Field(\.discount, "discount").rule(.between(0, 1))
    Field(\.score, "score").rule(.atMost(10))
    Field(\.tags, "tags").rule(.count(max: 5))
    Field(\.isAgreed, "isAgreed").rule(.isTrue)
  }

  private static let fields: Rule<Registration> = .all(
    .field(\.name, "name", .length(1...40)),
    .field(\.nickname, "nickname", .notEmpty),
    .field(\.country, "country", .oneOf(["BE", "NL", "LU"])),
    .field(\.language, "language", .oneOf(["nl", "fr", "de"])),
    .field(\.age, "age", .between(18, 120)),
    .field(\.seats, "seats", .atLeast(1)),
    .field(\.discount, "discount", .between(0, 1)),
    .field(\.score, "score", .atMost(10)),
    .field(\.tags, "tags", .count(max: 5)),
    .field(\.isAgreed, "isAgreed", .isTrue))
}
