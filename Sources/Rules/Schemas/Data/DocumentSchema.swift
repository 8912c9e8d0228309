/// Rules as data: a schema for JSON documents that is a JSON document itself.
///
/// The form is this package's own and small; `Documentation/RulesAsData.md` has every key. A schema is read whole
/// before it is used. Errors of reading are: a key without a meaning, a name that does not exist, a malformed
/// pattern, and a statement that contradicts another. Checking a document then has no errors, only issues.
public struct DocumentSchema: Sendable {
  /// The scenarios that the schema names, and ``Scenario/default``.
  public let scenarios: Set<Scenario>
  let root: DocumentNode

  /// Every key that a schema may have, sorted; without the keys of options.
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

  /// The schema in a scenario as a rule. A scenario that does not exist is an issue, `unknown-scenario`.
  public func rule(in scenario: Scenario) -> Rule<JSONValue> {
    guard scenarios.contains(scenario) else {
      let issue = Issue("unknown-scenario", parameters: ["scenario": .text(scenario.rawValue)])
      return Rule { _, findings in findings.fail(issue) }
    }
    return root.rule(in: scenario)
  }

  /// The schema in a scenario as a rule for JSON text. Other text has the issue `not-json`, with line, column and
  /// offset.
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

  /// A document with the steps of its fields applied; unchanged in a scenario that does not exist.
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

extension DocumentSchema {
  /// The fields of the document that concern a scenario, in order.
  public func activeFields(in scenario: Scenario = .default) -> [String] {
    fields(in: scenario) { $0.isActive(in: scenario) }
  }

  /// The active fields that mass assignment may write, in order.
  public func safeFields(in scenario: Scenario = .default) -> [String] {
    fields(in: scenario) { $0.isSafe(in: scenario) }
  }

  /// The active fields that must always be present, in order.
  public func requiredFields(in scenario: Scenario = .default) -> [String] {
    fields(in: scenario) {
      $0.isActive(in: scenario) && $0.presence != nil && $0.conditions.isEmpty
    }
  }

  /// Assigns values to a document's fields by name, in the object's order, where the scenario allows it and the
  /// type is right. Nothing else is checked.
  public func assign(
    _ values: JSONObject, to document: inout JSONObject, in scenario: Scenario = .default,
    _ policy: Assignment.Policy = .whatFits, includingUnsafe: Bool = false
  ) -> Assignment {
    var (assignment, changed) = (Assignment(), document)
    for member in values.members {
      guard let field = fields.first(where: { $0.name == member.name }) else {
        assignment.unknown.append(member.name)
        continue
      }
      if let rejection = rejection(of: field, in: scenario, includingUnsafe) {
        assignment.rejected[member.name] = rejection
      } else if !field.node.accepts(member.value) {
        let types = field.node.kinds.map(\.rawValue).joined(separator: " or ")
        assignment.wrongType[member.name] = JSONTypeError(expected: types, found: member.value)
      } else {
        changed[member.name] = member.value
        assignment.assigned.append(member.name)
      }
    }
    if policy == .allOrNothing, !assignment.isComplete {
      assignment.assigned = []
    } else {
      document = changed
    }
    return assignment
  }

  private var fields: [DocumentField] {
    root.parts.flatMap { part -> [DocumentField] in
      if case .members(let members) = part { members.fields } else { [] }
    }
  }

  private func fields(
    in scenario: Scenario, _ isIncluded: (DocumentField) -> Bool
  ) -> [String] {
    scenarios.contains(scenario) ? fields.filter(isIncluded).map(\.name) : []
  }

  private func rejection(
    of field: DocumentField, in scenario: Scenario, _ includingUnsafe: Bool
  ) -> Assignment.Rejection? {
    if !scenarios.contains(scenario) { return .unknownScenario }
    if includingUnsafe || field.isSafe(in: scenario) { return nil }
    return field.isActive(in: scenario) ? .unsafe : .inactive
  }
}

/// The rules and filters of a program that schemas may name.
public struct SchemaVocabulary: Sendable {
  /// The rules by name, for the key `rule`.
  public var rules: [String: Rule<JSONValue>]
  /// The filters by name, for the key `filter`: each transforms a field's value.
  public var filters: [String: @Sendable (JSONValue) -> JSONValue]

  /// Creates a vocabulary. Every vocabulary has the filters `lowercase`, `uppercase` and `collapseSpaces`.
  public init(
    rules: [String: Rule<JSONValue>] = [:],
    filters: [String: @Sendable (JSONValue) -> JSONValue] = [:]
  ) {
    self.rules = rules
    self.filters = Self.standardFilters.merging(filters) { _, own in own }
  }

  private static let standardFilters: [String: @Sendable (JSONValue) -> JSONValue] = [
    "lowercase": { changing($0) { $0.lowercased() } },
    "uppercase": { changing($0) { $0.uppercased() } },
    "collapseSpaces": {
      changing($0) { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    },
  ]

  private static func changing(_ json: JSONValue, _ change: (String) -> String) -> JSONValue {
    if case .string(let text) = json { .string(change(text)) } else { json }
  }
}
