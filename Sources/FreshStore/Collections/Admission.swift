internal import Rules

/// What a collection asks of its values.
struct Admission<Value: Sendable>: Sendable {
  /// Brings a value into shape on its way in, before it is checked.
  var normalise: (@Sendable (Value) -> Value)?
  /// What a value must obey to be stored, and to be served.
  var rule: Rule<Value>?
  /// What a value must obey besides to be stored; a read cannot wait for it.
  var awaited: AsyncRule<Value>?

  /// The value as it is to be stored, and what is wrong with it as far as can be told at once; no
  /// report when nothing is.
  func shaped(_ value: Value) -> (value: Value, refusal: Report?) {
    let value = normalise?(value) ?? value
    return (value, refusal(of: value))
  }

  /// What is wrong with a stored value; no report when nothing is.
  func refusal(of value: Value) -> Report? {
    guard let report = rule?.check(value), !report.isValid else { return nil }
    return report
  }
}

extension Admission {
  /// What a schema asks in a scenario: its steps first, then its rules.
  init(_ schema: Rules.Schema<Value>, in scenario: Scenario) {
    normalise = { schema.normalise($0, in: scenario) }
    rule = schema.rule(in: scenario)
  }
}

extension Admission<[UInt8]> {
  /// The same of JSON text. What the steps leave as it was keeps its bytes.
  init(_ schema: DocumentSchema, in scenario: Scenario) {
    normalise = { bytes in
      do throws(JSONSyntaxError) {
        let document = try JSONValue(parsing: bytes)
        let normalised = schema.normalise(document, in: scenario).bytes()
        return normalised == document.bytes() ? bytes : normalised
      } catch {
        // The rule tells what is wrong with it.
        return bytes
      }
    }
    rule = schema.bytesRule(in: scenario)
  }
}
