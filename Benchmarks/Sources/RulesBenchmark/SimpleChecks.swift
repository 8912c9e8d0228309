internal import BenchmarkKit
internal import Foundation
internal import Rules

/// The cost of one check of one value.
enum SimpleChecks {
  /// All measured pairs.
  static func pairs() throws -> [CheckPair] {
    try texts() + numbers() + formats()
  }

  static func measure(isQuick: Bool) throws -> Section {
    let pairs = try pairs()
    let harness = RoundRobin(
      samples: isQuick ? 5 : 501, sampleTime: .microseconds(isQuick ? 100 : 500))
    let costs = harness.nanosecondsPerTurn(of: pairs.flatMap { [$0.hand, $0.rule] })
    var section = Section(
      "Simple checks",
      columns: ["check", "value", "by hand ns", "rule ns", "p99 ns", "÷ by hand", "a second"])
    for (index, pair) in pairs.enumerated() {
      let (hand, rule) = (costs[2 * index], costs[2 * index + 1])
      section.add(row: [
        pair.name, pair.rule.answer, hand.median.figures, rule.median.figures,
        rule.percentile(99).figures, (rule.median / hand.median).figures,
        (1e9 / rule.median).figures,
      ])
      let name = "\(pair.name), \(pair.rule.answer)"
      section.add(Figure("\(name): by hand, median", hand.median, "ns"))
      section.add(Figure("\(name): rule, median", rule.median, "ns"))
      section.add(Figure("\(name): rule, p99", rule.percentile(99), "ns"))
      if pair.isKept { section.judge(name, rule.median, below: 1_000, "ns") }
    }
    section.add(
      note: "by hand, e-mail is a regular expression of Swift's own and url is Foundation's URL: "
        + "nearest to it, but not the same question")
    return section
  }

  private static let names = [
    "Ada", "Grace Hopper", "Barbara", "Jean", "Margaret Hamilton", "Frances", "Radia", "Karen",
  ]

  private static func texts() -> [CheckPair] {
    let empty = [String](repeating: "", count: 8)
    let long = names.map { $0 + String(repeating: "!", count: 40) }
    let accented = names.map { $0 + " Müller" }
    let codes = ["BE", "NL", "LU", "FR", "DE", "BE", "NL", "LU"]
    let allowed = ["BE", "NL", "LU", "FR", "DE"]
    return CheckPair.both("notEmpty", Rule.notEmpty, kept: names, broken: empty) { !$0.isEmpty }
      + CheckPair.both("length 1 to 40", Rule.length(1...40), kept: names, broken: long) {
        1...40 ~= $0.count
      }
      + CheckPair.both(
        "length 1 to 40, accented", Rule.length(1...40), kept: accented, broken: long
      ) {
        1...40 ~= $0.count
      }
      + CheckPair.both("oneOf five", Rule.oneOf(allowed), kept: codes, broken: names) { text in
        for code in allowed where code == text { return true }
        return false
      }
  }

  private static func numbers() -> [CheckPair] {
    CheckPair.both(
      "between 18 and 120", Rule<Int>.between(18, 120), kept: [18, 20, 33, 47, 55, 80, 99, 120],
      broken: [17, 121, -1, 0, 500, 130, 1, 2]
    ) { $0 >= 18 && $0 <= 120 }
      + CheckPair.both(
        "between 0.0 and 1.0", Rule<Double>.between(0, 1),
        kept: [0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1],
        broken: [-1, 2, 3, -0.1, 1.1, 1.01, .nan, .infinity]
      ) { $0 >= 0 && $0 <= 1 }
  }

  private static func formats() throws -> [CheckPair] {
    let mails = names.map { "\($0.split(separator: " ")[0]).lovelace@mail.example.org" }
    let urls = names.map { "https://www.example.org/people/\($0.prefix(3))?page=2" }
    let keys = names.indices.map { "KX-10\($0)4\($0)7" }
    let pattern = try Rule.matches("[A-Z]{2}-[0-9]{6}", .whole, .sensitive)
    return try CheckPair.both(
      "e-mail", Rule.email(), kept: mails, broken: mails.map { $0 + "@" },
      Regular(#"[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*@([A-Za-z0-9-]+\.)+[A-Za-z]{2,}"#).matches)
      + CheckPair.both("url", Rule.url(), kept: urls, broken: names.map { "\($0).org" }) {
        guard let url = URL(string: $0), let host = url.host() else { return false }
        return (url.scheme == "https" || url.scheme == "http") && host.contains(".")
      }
      + CheckPair.both(
        "pattern [A-Z]{2}-[0-9]{6}", pattern, kept: keys, broken: keys.map { $0 + "x" },
        isKey)
  }

  @Sendable private static func isKey(_ text: String) -> Bool {
    guard text.utf8.count == 9 else { return false }
    for (index, byte) in text.utf8.enumerated() {
      let isRight =
        switch index {
        case 0, 1: (0x41...0x5A).contains(byte)
        case 2: byte == 0x2D
        default: (0x30...0x39).contains(byte)
        }
      if !isRight { return false }
    }
    return true
  }
}
