/// Why a JSON document is not a schema: where, and what to do.
public struct SchemaError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Problem: Sendable, Hashable {
    /// The text is not JSON.
    case notJSON(JSONSyntaxError)
    /// A key that has no meaning here, and the one that was perhaps meant.
    case unknownKey(String, nearest: String?)
    /// A name of something that does not exist: a field, a scenario, a filter, a rule, a value from
    /// a fixed list; and the one that was perhaps meant.
    case unknownName(kind: String, name: String, nearest: String?)
    /// Another type than the one that belongs here.
    case wrongType(expected: String, found: JSONKind)
    /// A key that must be there is not.
    case missing(String)
    /// A pattern that is malformed, and why.
    case malformedPattern(String)
    /// A statement that contradicts another, or that no value could keep.
    case contradiction(String)
    /// Schemas deeper inside one another than allowed.
    case tooDeep(limit: Int)
  }

  /// Where in the schema.
  public let path: IssuePath
  /// What is wrong.
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
