/// Rules as data: a schema for JSON documents that is a JSON document itself.
///
/// The form is this package's own and small; `Documentation/RulesAsData.md` has every key. A schema
/// is read whole before it is used: a key without a meaning, a name that does not exist, a malformed
/// pattern and a statement that contradicts another are errors when it is read. Checking a document
/// then has no errors, only issues.
public struct DocumentSchema: Sendable {
  /// The scenarios that the schema names, and ``Scenario/default``.
  public let scenarios: Set<Scenario>
  let root: DocumentNode

  /// Every key that a schema may have, sorted; those of options are not among them.
  package static let keys: [String] =
    (SchemaKeyword.standard.map(\.name) + SchemaReader.structureKeys
    + SchemaReader.placeOfKey.keys + SchemaReader.relationKeys).sorted()

  /// Reads a schema.
  public init(
    json: JSONValue, vocabulary: SchemaVocabulary = SchemaVocabulary()
  ) throws(SchemaError) {
    var reader = SchemaReader(vocabulary)
    root = try reader.root(SchemaValue(json: json, path: .whole))
    scenarios = reader.named.union(reader.lists.keys).union([.default])
  }

  /// Reads a schema from JSON text.
  public init(
    parsing bytes: [UInt8], vocabulary: SchemaVocabulary = SchemaVocabulary()
  ) throws(SchemaError) {
    let json: JSONValue
    do throws(JSONSyntaxError) { json = try JSONValue(parsing: bytes) } catch {
      throw SchemaError(path: .whole, problem: .notJSON(error))
    }
    try self.init(json: json, vocabulary: vocabulary)
  }

  /// The schema in the default scenario as a rule.
  public var rule: Rule<JSONValue> { rule(in: .default) }

  /// The schema in a scenario as a rule. A scenario that does not exist is an issue,
  /// `unknown-scenario`.
  public func rule(in scenario: Scenario) -> Rule<JSONValue> {
    guard scenarios.contains(scenario) else {
      let issue = Issue("unknown-scenario", parameters: ["scenario": .text(scenario.rawValue)])
      return Rule { _, findings in findings.fail(issue) }
    }
    return root.rule(in: scenario)
  }

  /// The schema in a scenario as a rule for JSON text: other text has the issue `not-json`, with
  /// line, column and offset.
  public func bytesRule(
    in scenario: Scenario = .default, _ options: JSONParsingOptions = JSONParsingOptions()
  ) -> Rule<[UInt8]> {
    let rule = rule(in: scenario)
    return Rule { bytes, findings in
      do throws(JSONSyntaxError) {
        return rule.apply(to: try JSONValue(parsing: bytes, options), &findings)
      } catch {
        return findings.fail(Issue(error))
      }
    }
  }

  /// Reports every way in which a document breaks its rules in a scenario, or the first.
  public func check(
    _ document: JSONValue, in scenario: Scenario = .default, _ mode: Findings.Mode = .all
  ) -> Report {
    rule(in: scenario).check(document, mode)
  }

  /// A document with the steps of its fields applied; in a scenario that does not exist, unchanged.
  public func normalise(_ document: JSONValue, in scenario: Scenario = .default) -> JSONValue {
    scenarios.contains(scenario) ? root.normalised(document, in: scenario) : document
  }

  /// Normalises a document and checks the result.
  public func admit(
    _ document: JSONValue, in scenario: Scenario = .default
  ) -> (document: JSONValue, report: Report) {
    let document = normalise(document, in: scenario)
    return (document, check(document, in: scenario))
  }
}

extension Issue {
  /// The issue of a text that is not JSON, `not-json`, with the place.
  public init(_ error: JSONSyntaxError) {
    self.init(
      "not-json",
      parameters: [
        "line": .integer(error.position.line), "column": .integer(error.position.column),
        "offset": .integer(error.position.offset), "reason": .text(error.reason),
      ])
  }
}
