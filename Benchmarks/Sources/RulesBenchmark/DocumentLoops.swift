internal import Foundation
internal import Rules

/// The measured loops: process the document, count. The document is well-formed and keeps the
/// schema, so a failure ends the run.
enum DocumentLoops {
  @inline(never)
  static func serialization(_ data: Data, _ turns: Int) -> Int {
    // A refused document is missing from the count.
    count(turns) { (try? JSONSerialization.jsonObject(with: data)) is [Any] }
  }

  @inline(never)
  static func decoder(_ data: Data, _ turns: Int) -> Int {
    let decoder = JSONDecoder()
    // A refused document is missing from the count.
    return count(turns) { (try? decoder.decode(GenericJSON.self, from: data)) != nil }
  }

  @inline(never)
  static func parse(_ bytes: [UInt8], _ turns: Int) -> Int {
    // A refused document is missing from the count.
    count(turns) { (try? JSONValue(parsing: bytes)) != nil }
  }

  @inline(never)
  static func write(_ value: JSONValue, _ turns: Int) -> Int {
    count(turns) { !value.bytes().isEmpty }
  }

  @inline(never)
  static func check<Value>(_ rule: Rule<Value>, _ value: Value, _ turns: Int) -> Int {
    count(turns) { rule.check(value).isValid }
  }

  private static func count(_ turns: Int, _ succeeds: () -> Bool) -> Int {
    var count = 0
    for _ in 0..<turns where succeeds() { count += 1 }
    precondition(count == turns, "the document is as it must be")
    return count
  }
}
