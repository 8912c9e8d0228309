internal import Foundation
internal import Rules

/// The measured loops: decode, count. The document is valid, so a failure ends the run.
enum DecodingLoops {
  @inline(never)
  static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data, _ turns: Int) -> Int {
    let decoder = JSONDecoder()
    var count = 0
    // A failed decoding is missing from the count.
    for _ in 0..<turns where (try? decoder.decode(type, from: data)) != nil { count += 1 }
    precondition(count == turns, "the document is valid")
    return count
  }

  @inline(never)
  static func verify<Value: Decodable>(_ type: Value.Type, _ data: Data, _ turns: Int) -> Int {
    let decoder = JSONDecoder()
    var count = 0
    // A failed decoding is missing from the count.
    for _ in 0..<turns where (try? decoder.decode(verify: type, from: data)) != nil { count += 1 }
    precondition(count == turns, "the document keeps its rules")
    return count
  }
}
