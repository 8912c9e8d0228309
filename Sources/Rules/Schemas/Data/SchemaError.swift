/// The error of a JSON document that is not a schema: the problem, its place and the remedy.
public struct SchemaError: Error, Sendable, Hashable {
  /// The kinds of problems.
  public enum Problem: Sendable, Hashable {
    /// The text is not JSON.
    case notJSON(JSONSyntaxError)
    /// A key that has no meaning here, and the key that was probably meant.
    case unknownKey(String, nearest: String?)
    /// A name that does not exist, and the name that was probably meant. The name of a field, a scenario, a filter
    /// or a rule, or a value from a fixed list.
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

/// Finds the name that was probably meant.
enum NearestName {
  /// Longer names are not compared, because the cost grows with the square of the length.
  private static let greatestLength = 64

  /// The candidate with the fewest letters to change, at most a third of the name; the first of several.
  static func of(_ name: String, among candidates: [String]) -> String? {
    let limit = max(1, name.count / 3)
    guard name.utf8.count <= greatestLength else { return nil }
    return candidates.map { (name: $0, distance: distance(Array(name), Array($0))) }
      .filter { $0.distance <= limit }
      .min { $0.distance < $1.distance }?.name
  }

  /// The number of letters to change, add, remove or swap with the next (optimal string alignment).
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var (before, last) = ([Int](), Array(0...right.count))
    for (row, letter) in left.enumerated() {
      var line = [row + 1]
      for (column, other) in right.enumerated() {
        var least = min(
          last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, line[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          least = min(least, before[column - 1] + 1)
        }
        line.append(least)
      }
      (before, last) = (last, line)
    }
    return last[right.count]
  }
}
