/// The result of assigning values to a model's fields by name.
public struct Assignment: Sendable, Hashable {
  /// Whether a value that does not fit prevents the assignment of the others.
  public enum Policy: String, Sendable, Hashable, CaseIterable {
    /// Values that fit are assigned, and the rest reported.
    case whatFits
    /// Nothing is assigned unless everything fits.
    case allOrNothing
  }

  /// Why a field may not be assigned.
  public enum Rejection: String, Sendable, Hashable, CaseIterable {
    /// It is marked unsafe in this scenario.
    case unsafe
    /// Nothing in this scenario concerns it.
    case inactive
    /// It is read-only, or cannot be read from JSON.
    case readOnly = "read-only"
    /// The scenario does not exist.
    case unknownScenario = "unknown-scenario"
  }

  /// The fields that have their new values, in order.
  public internal(set) var assigned: [String] = []
  /// The fields that may not be assigned, and why.
  public internal(set) var rejected: [String: Rejection] = [:]
  /// The names that match no field, in order.
  public internal(set) var unknown: [String] = []
  /// The fields whose values are of another type.
  public internal(set) var wrongType: [String: JSONTypeError] = [:]

  /// True when nothing was rejected, unknown or of the wrong type.
  public var isComplete: Bool { rejected.isEmpty && unknown.isEmpty && wrongType.isEmpty }

  /// The same as issues, by name: a wrong type as a must, the others as a should.
  public var report: Report {
    let rejections = rejected.sorted { $0.key < $1.key }.map { name, reason in
      Issue(
        "not-assignable", path: IssuePath([.field(name)]),
        parameters: ["reason": .text(reason.rawValue)], severity: .should)
    }
    let strangers = unknown.map {
      Issue("unknown-field", path: IssuePath([.field($0)]), severity: .should)
    }
    let mistakes = wrongType.sorted { $0.key < $1.key }.map { name, error in
      Issue(
        "wrong-type", path: error.path.inside(.field(name)),
        parameters: ["expected": .text(error.expected), "found": .text(error.found.rawValue)])
    }
    return Report(mistakes + rejections + strangers)
  }
}
