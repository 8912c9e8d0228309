/// The lists of a schema's key `scenarios`: for each scenario its fields, and whether each is safe.
typealias ScenarioLists = [Scenario: [String: Bool]]
