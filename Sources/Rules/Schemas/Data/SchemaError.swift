/// The error of a JSON document that is not a schema: the problem, its place and the remedy.
public struct SchemaError: Error, Sendable, Hashable {
  /// The kinds of problems.
  public enum Problem: Sendable, Hashable {
    /// The text is not JSON.
    case notJSON(JSONSyntaxError)
    /// A key that has no meaning here, and the one that was probably meant.
    case unknownKey(String, nearest: String?)
    /// A name of something that does not exist: a field, a scenario, a filter, a rule, a value from
    /// a fixed list; and the one that was probably meant.
    case unknownName(kind: String, name: String, nearest: String?)
    /// A value of the wrong type.
    case wrongType(expected: String, found: JSONKind)
    /// A required key is missing.
    case missing(String)
    /// A pattern that is malformed, and why.
    case malformedPattern(String)
    /// A statement that contradicts another, or that no value could keep.
    case contradiction(String)
    /// Schemas nested deeper than allowed.
    case tooDeep(limit: Int)
  }

  /// The place in the schema.
  public let path: IssuePath
  /// The problem.
  public let problem: Problem

  /// The problem in words, without the place.
  public var reason: String {
    switch problem {
    case .notJSON(let error): "not JSON: \(error)"
    case .unknownKey(let key, let nearest): "there is no key \"\(key)\" here" + Self.hint(nearest)
    case .unknownName(let kind, let name, let nearest):
      "there is no \(kind) \"\(name)\"" + Self.hint(nearest)
    case .wrongType(let expected, let found): "\(expected) belongs here, not \(found.rawValue)"
    case .missing(let key): "the key \"\(key)\" is missing"
    case .malformedPattern(let reason): "a malformed pattern: \(reason)"
    case .contradiction(let statement): statement
    case .tooDeep(let limit): "schemas lie more than \(limit) deep: flatten them"
    }
  }

  private static func hint(_ nearest: String?) -> String {
    nearest.map { "; did you mean \"\($0)\"?" } ?? ""
  }
}

extension SchemaError: CustomStringConvertible {
  /// The place and the problem.
  public var description: String {
    path.components.isEmpty ? "the schema: \(reason)" : "\(path): \(reason)"
  }
}
