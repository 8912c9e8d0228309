internal import Rules

/// The requirements of a collection on its values.
struct Admission<Value: Sendable>: Sendable {
  /// Normalises a new value before it is checked.
  var normalise: (@Sendable (Value) -> Value)?
  /// The rule for a value to be stored, and to be served.
  var rule: Rule<Value>?
  /// The additional rule for a value to be stored; a read cannot wait for it.
  var awaited: AsyncRule<Value>?

  /// The value in the form to be stored, and the problems that can be found at once; no report
  /// without problems.
  func shaped(_ value: Value) -> (value: Value, refusal: Report?) {
    let value = normalise?(value) ?? value
    return (value, refusal(of: value))
  }

  /// The problems of a stored value; no report without any.
  func refusal(of value: Value) -> Report? {
    guard let report = rule?.check(value), !report.isValid else { return nil }
    return report
  }
}

extension Admission {
  /// The requirements of a schema in a scenario: its steps first, then its rules.
  init(_ schema: Rules.Schema<Value>, in scenario: Scenario) {
    normalise = { schema.normalise($0, in: scenario) }
    rule = schema.rule(in: scenario)
  }
}

extension Admission<[UInt8]> {
  /// The same for JSON text. Text that the steps do not change keeps its bytes.
  init(_ schema: DocumentSchema, in scenario: Scenario) {
    normalise = { bytes in
      do throws(JSONSyntaxError) {
        let document = try JSONValue(parsing: bytes)
        let normalised = schema.normalise(document, in: scenario).bytes()
        return normalised == document.bytes() ? bytes : normalised
      } catch {
        // The rule reports the problem.
        return bytes
      }
    }
    rule = schema.bytesRule(in: scenario)
  }
}
