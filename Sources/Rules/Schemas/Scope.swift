/// The scenarios in which something applies.
struct Scope: Sendable {
  /// Only these; all, when empty.
  let on: Set<Scenario>
  /// Never these, also when ``on`` has them.
  let except: Set<Scenario>

  func includes(_ scenario: Scenario) -> Bool {
    !except.contains(scenario) && (on.isEmpty || on.contains(scenario))
  }

  var named: Set<Scenario> { on.union(except) }
}
