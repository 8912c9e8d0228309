/// A rule of a schema about the model as a whole, such as one between two fields.
public struct ModelRule<Model>: Sendable {
  let rule: Rule<Model>
  let scope: Scope
  let fields: Set<String>
  let condition: (@Sendable (Model) -> Bool)?

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - on: The scenarios in which it applies; all, when empty.
  ///   - except: Those in which it does not, also when `on` names them.
  ///   - fields: The fields it is about: skipped while one of them has an issue already.
  ///   - condition: Whether it concerns this model; asked last.
  public init(
    _ rule: Rule<Model>, on: Set<Scenario> = [], except: Set<Scenario> = [],
    unlessIssuesIn fields: Set<String> = [], when condition: (@Sendable (Model) -> Bool)? = nil
  ) {
    self.rule = rule
    self.scope = Scope(on: on, except: except)
    self.fields = fields
    self.condition = condition
  }

  func apply(to model: Model, _ findings: inout Findings, from firstIssue: Int) -> Outcome {
    let failed = findings.issues.dropFirst(firstIssue).contains {
      if case .field(let name) = $0.path.components.first { fields.contains(name) } else { false }
    }
    if failed { return findings.skip("a field it is about has an issue") }
    if let condition, !condition(model) { return findings.skip("its condition does not hold") }
    return rule.apply(to: model, &findings)
  }
}
