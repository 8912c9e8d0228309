internal import BenchmarkKit
internal import Foundation
internal import Rules

/// The cost of reading a JSON document of a megabyte, and of checking it by a schema as data.
enum Documents {
  static func measure(isQuick: Bool) throws -> Section {
    let bytes = document(of: 4_400)
    let contestants = try contestants(bytes)
    let harness = RoundRobin(samples: isQuick ? 2 : 41, sampleTime: .milliseconds(1))
    let costs = harness.nanosecondsPerTurn(of: contestants)
    var section = Section(
      "A JSON document of \((Double(bytes.count) / 1e6).figures) MB",
      columns: ["what", "median ms", "p99 ms", "MB a second", "÷ JSONSerialization"])
    for (contestant, cost) in zip(contestants, costs) {
      section.add(row: [
        contestant.name, (cost.median / 1e6).figures, (cost.percentile(99) / 1e6).figures,
        (Double(bytes.count) * 1_000 / cost.median).figures,
        (cost.median / costs[0].median).figures,
      ])
      section.add(Figure("\(contestant.name): median", cost.median / 1e6, "ms"))
    }
    section.add(note: "\(contestants[0].answer), with 11 members each, one of them a list")
    return section
  }

  /// The contestants that read a document, write it or check it; Foundation's reader first.
  static func contestants(_ bytes: [UInt8]) throws -> [Contestant] {
    let data = Data(bytes)
    let value = try JSONValue(parsing: bytes)
    let schema = try DocumentSchema(parsing: Array(schema.utf8))
    let (rule, bytesRule) = (schema.rule, schema.bytesRule())
    guard case .array(let items) = value else { preconditionFailure("the document is a list") }
    return [
      Contestant("JSONSerialization", answer: "\(items.count) objects") {
        DocumentLoops.serialization(data, $0)
      },
      Contestant("JSONDecoder into an enum", answer: "") { DocumentLoops.decoder(data, $0) },
      Contestant("JSONValue(parsing:)", answer: "") { DocumentLoops.parse(bytes, $0) },
      Contestant("JSONValue, written back", answer: "") { DocumentLoops.write(value, $0) },
      Contestant("DocumentSchema, check of what was read", answer: "") {
        DocumentLoops.check(rule, value, $0)
      },
      Contestant("DocumentSchema, read and check", answer: "") {
        DocumentLoops.check(bytesRule, bytes, $0)
      },
    ]
  }

  /// A list of so many objects, of 247 bytes each or some more.
  static func document(of count: Int) -> [UInt8] {
    let items = (0..<count).map { number in
      #"""
      {"number":\#(number),"customer":"Customer \#(number % 97)","mail":"c\#(number)@example.org",\#
      "country":"BE","amount":\#(number % 500).25,"quantity":\#(number % 9 + 1),"discount":0.15,\#
      "isPaid":true,"note":"leave it \"at the latch\" of Müller, thank you very much indeed",\#
      "tags":["first","second \#(number % 7)"],"coupon":null}
      """#
    }
    return Array("[\(items.joined(separator: ",\n"))]".utf8)
  }

  private static let schema = #"""
    {"each": {"unknownFields": "refuse", "fields": {
      "number": {"type": "integer", "min": 0, "required": true},
      "customer": {"required": true, "length": {"min": 1, "max": 40}},
      "mail": {"email": true, "required": true},
      "country": {"oneOf": ["BE", "NL", "LU"]},
      "amount": {"min": 0, "places": 2},
      "quantity": {"type": "integer", "min": 1, "max": 100},
      "discount": {"min": 0, "max": 1},
      "isPaid": {"type": "boolean"},
      "note": {"length": {"max": 200}, "singleLine": true},
      "tags": {"each": {"notBlank": true}, "count": {"max": 5}},
      "coupon": {"type": "string", "nullable": true}
    }}}
    """#
}
