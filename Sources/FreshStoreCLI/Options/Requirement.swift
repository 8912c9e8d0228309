#if CommandLine
  internal import ArgumentParser
  internal import Rules

  /// A rule that a value can be required to obey.
  enum Requirement: String, ExpressibleByArgument, CaseIterable {
    case json
    case nonempty

    var rule: Rule<[UInt8]> {
      switch self {
      case .json:
        Rule(code: "json", message: "must be JSON", JSONText.isValid)
      case .nonempty:
        Rule(code: "not-empty", message: "must not be empty") { !$0.isEmpty }
      }
    }

    /// All of them as one rule; `nil` for none.
    static func rule(_ requirements: [Requirement]) -> Rule<[UInt8]>? {
      requirements.isEmpty ? nil : .all(requirements.map(\.rule))
    }
  }
#endif
