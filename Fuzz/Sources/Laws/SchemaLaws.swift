@testable import Rules

/// The laws that schemas as data keep for any schema and any document.
struct SchemaLaws {
  let schema: DocumentSchema
  let document: JSONValue

  /// The laws for a schema, which is the first line, and a document, which is the rest; if the rest
  /// is not JSON, the schema is checked against itself.
  static func check(_ input: [UInt8]) {
    let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
    let text = Array(input[..<end])
    let schema: DocumentSchema
    do throws(SchemaError) { schema = try DocumentSchema(parsing: text) } catch {
      law("an error says something", !error.description.isEmpty)
      return
    }
    let documents = [Array(input[end...].dropFirst()), text].compactMap(read)
    for document in documents { SchemaLaws(schema: schema, document: document).check() }
    for document: JSONValue in [nil, [], [:]] {
      SchemaLaws(schema: schema, document: document).check()
    }
  }

  private static func read(_ bytes: [UInt8]) -> JSONValue? {
    do throws(JSONSyntaxError) { return try JSONValue(parsing: bytes) } catch { return nil }
  }

  private func check() {
    law("there is a default scenario", schema.scenarios.contains(.default))
    let scenarios = schema.scenarios.sorted { $0.rawValue < $1.rawValue }.prefix(4)
    for scenario in scenarios { check(in: scenario) }
    let missing = Scenario(rawValue: "of no schema")
    if !schema.scenarios.contains(missing) {
      let codes = schema.check(document, in: missing).issues.map(\.code)
      law("a scenario that does not exist is an issue", codes == ["unknown-scenario"])
      law("and changes nothing", schema.normalise(document, in: missing) == document)
    }
  }

  private func check(in scenario: Scenario) {
    let report = schema.check(document, in: scenario)
    law("the same document has the same report", schema.check(document, in: scenario) == report)
    law("an issue is a failure", report.issues.isEmpty || report.outcome == .failed)
    law("a failure has an issue", report.outcome != .failed || !report.issues.isEmpty)
    law("every issue has words", report.issues.allSatisfy { !$0.message.isEmpty })
    let first = schema.check(document, in: scenario, .first)
    law("the first issue decides as all do", first.isValid == report.isValid)
    let bytes = schema.bytesRule(in: scenario).check(document.bytes())
    law("a document's text has the document's report", bytes == report)
    let (changed, admitted) = schema.admit(document, in: scenario)
    law(
      "what is admitted is what was normalised", changed == schema.normalise(document, in: scenario)
    )
    law("what is admitted was checked", admitted == schema.check(changed, in: scenario))
    checkAssigning(in: scenario)
  }

  private func checkAssigning(in scenario: Scenario) {
    guard case .object(let values) = document else { return }
    var target = JSONObject()
    let assignment = schema.assign(values, to: &target, in: scenario)
    let refused =
      assignment.unknown + Array(assignment.rejected.keys) + Array(assignment.wrongType.keys)
    law("a name is assigned or refused", Set(assignment.assigned + refused) == Set(values.names))
    law("what is assigned is there", Set(assignment.assigned) == Set(target.names))
    let safe = Set(schema.safeFields(in: scenario))
    law("what is assigned is safe", safe.isSuperset(of: assignment.assigned))
    let active = Set(schema.activeFields(in: scenario))
    law("what is safe is active", active.isSuperset(of: safe))
    law("what is required is active", active.isSuperset(of: schema.requiredFields(in: scenario)))
  }
}
