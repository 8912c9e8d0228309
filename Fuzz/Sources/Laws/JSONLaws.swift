import Foundation

@testable import Rules

/// The laws that reading and writing JSON keep for any bytes.
struct JSONLaws {
  let bytes: [UInt8]

  /// The laws for bytes as a JSON text.
  static func check(_ bytes: [UInt8]) {
    JSONLaws(bytes: bytes).check()
  }

  private func check() {
    let strict = read()
    law("the same bytes have the same value", read() == strict)
    let last = read(JSONParsingOptions(duplicateNames: .keepLast))
    let first = read(JSONParsingOptions(duplicateNames: .keepFirst))
    checkDuplicates(strict, first, last)
    if case .failure(let error) = last { checkPosition(of: error) }
    if case .failure(let error) = strict { checkPosition(of: error) }
    checkReference(strict)
    guard case .success(let value) = last else { return }
    checkWriting(of: value)
    checkLimits(of: value)
  }

  private func read(
    _ options: JSONParsingOptions = JSONParsingOptions()
  ) -> Result<JSONValue, JSONSyntaxError> {
    Result { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes, options) }
  }

  private func checkDuplicates(
    _ strict: Result<JSONValue, JSONSyntaxError>, _ first: Result<JSONValue, JSONSyntaxError>,
    _ last: Result<JSONValue, JSONSyntaxError>
  ) {
    switch (strict, first, last) {
    case (.success(let value), .success(let first), .success(let last)):
      law("without a name given twice, none is chosen", value == first && value == last)
    case (.failure(let error), .success, .success):
      var isDuplicate = false
      if case .duplicateName = error.problem { isDuplicate = true }
      law("what is only refused by the strict has a name twice", isDuplicate)
    case (.failure, .failure(let first), .failure(let last)):
      law("an error does not depend on the choice of names", first == last)
    default: law("what the strict take all take", false)
    }
  }

  private func checkPosition(of error: JSONSyntaxError) {
    let position = error.position
    law("an error lies in the text or at its end", 0...bytes.count ~= position.offset)
    law("lines and columns are counted from 1", position.line >= 1 && position.column >= 1)
    law("a column is no further than the offset", position.column <= position.offset + 1)
    law("an error says something", !error.description.isEmpty)
  }

  private func checkWriting(of value: JSONValue) {
    let text = value.text()
    for bytes in [value.bytes(), value.bytes(.pretty)] {
      let again = JSONLaws(bytes: bytes).read()
      law("what is written reads as what was read", again == .success(value))
      guard case .success(let again) = again else { continue }
      law("what was written is written the same again", again.text() == text)
      law("equal values have equal hashes", again.hashValue == value.hashValue)
    }
  }

  private func checkLimits(of value: JSONValue) {
    let depth = Self.depth(of: value)
    law("no value is deeper than the limit", depth <= JSONParsingOptions.greatestDepth)
    let names = JSONParsingOptions.DuplicateNames.keepLast
    let enough = JSONParsingOptions(bytes: bytes.count, duplicateNames: names)
    law("a limit of bytes that fits refuses nothing", read(enough) == .success(value))
    guard case .failure(let error) = read(JSONParsingOptions(bytes: bytes.count - 1)) else {
      return law("a limit of bytes holds", false)
    }
    law(
      "a limit of bytes says so",
      error.problem
        == .tooLong(
          count: bytes.count, limit: bytes.count - 1))
    guard depth > 1 else { return }
    if case .success = read(JSONParsingOptions(depth: depth - 1, duplicateNames: names)) {
      law("a limit of depth holds", false)
    }
  }

  /// Foundation's reader accepts the same texts, except for the ``JSONDifferences``.
  private func checkReference(_ result: Result<JSONValue, JSONSyntaxError>) {
    guard !JSONDifferences.inBytes(bytes) else { return }
    let reference: Any?
    do {
      reference = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    } catch {
      reference = nil
    }
    switch (result, reference) {
    case (.success(let value), let reference?):
      law("a value is what the reference reads", JSONDifferences.agree(value, reference))
    case (.success(let value), nil):
      law("what is taken the reference takes", JSONDifferences.inValue(value))
    case (.failure(let error), _?):
      law("what is refused the reference refuses", JSONDifferences.inError(error))
    case (.failure, nil): break
    }
  }

  private static func depth(of value: JSONValue) -> Int {
    switch value {
    case .array(let items): 1 + (items.map(depth).max() ?? 0)
    case .object(let object): 1 + (object.members.map { depth(of: $0.value) }.max() ?? 0)
    default: 0
    }
  }
}
