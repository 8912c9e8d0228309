internal import Synchronization

/// The variant of a resource that a response is: the part of the cache key that its `Vary` field takes from
/// the request (RFC 9111 section 4.1).
package enum VarySelection: Sendable, Hashable {
  /// The response has no `Vary` field and answers every request.
  case every
  /// The field is `*`, or cannot be read: the response answers no other request.
  case none
  /// The names in the field, in lower case and sorted, and a digest of the request's values.
  ///
  /// The values are not kept, as `Authorization` and `Cookie` may be among them.
  case fields([String], digest: String)

  /// Selects by a response's `Vary` field and the request that it answers.
  package init(of response: HeaderFields, for request: HeaderFields) {
    self.init(Self.nominated(by: response)) { Self.digest($0, in: request) }
  }

  /// Selects by the names that ``nominated(by:besides:)`` returns.
  ///
  /// - Parameter digest: Makes the digest of the request's values for these names.
  package init(_ names: [String]?, digest: ([String]) -> String) {
    guard let names else {
      self = .none
      return
    }
    self = names.isEmpty ? .every : .fields(names, digest: digest(names))
  }

  /// The names in a response's `Vary` field, in lower case and sorted. `nil` for `*`, for a list that cannot be
  /// read, and for a list that is longer than any resource needs: a new request costs less than a comparison by it.
  ///
  /// - Parameter others: Further names, in lower case.
  package static func nominated(
    by response: HeaderFields, besides others: [String] = []
  ) -> [String]? {
    let field = response.combined("Vary") ?? ""
    guard field.utf8.count <= greatestLength else { return nil }
    let names = Set(FieldSyntax.listMembers(field).map(FieldSyntax.lowercased)).union(others)
    guard names.count <= greatestCount, !names.contains("*"), names.allSatisfy(FieldSyntax.isToken)
    else { return nil }
    return names.sorted()
  }

  /// The most names, and the most bytes of the field.
  private static let greatestCount = 32
  private static let greatestLength = 2048

  /// Reads ``encoded`` back; text that is no such encoding matches no request.
  package init(encoded: String?) {
    guard let encoded else {
      self = .every
      return
    }
    let parts = encoded.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      self = .none
      return
    }
    let names = parts[0].split(separator: ",").map(String.init)
    // An earlier version accepted any number of names.
    self = names.count > Self.greatestCount ? .none : .fields(names, digest: String(parts[1]))
  }

  /// One line to store: `nil` for ``every``, `*` for ``none``, else `name,name=digest`.
  package var encoded: String? {
    switch self {
    case .every: nil
    case .none: "*"
    case .fields(let names, let digest): "\(names.joined(separator: ","))=\(digest)"
    }
  }

  /// True when the response may answer this request: every named field has the same value, or both lack it.
  package func matches(_ request: HeaderFields) -> Bool {
    switch self {
    case .every: true
    case .none: false
    case .fields(let names, let digest):
      Self.digest(names, in: request) == digest
    }
  }

  /// The digest of the values that a request has for these names, in lower case and sorted.
  package static func digest(_ names: [String], in request: HeaderFields) -> String {
    var longValues: [String: String] = [:]
    return digest(names, in: request, &longValues)
  }

  /// - Parameter longValues: The long values of the same request that earlier calls have read, by name, in
  ///   their digested form.
  static func digest(
    _ names: [String], in request: HeaderFields, _ longValues: inout [String: String]
  ) -> String {
    var digest = Digest()
    for name in names {
      // An absent field and an empty one differ: only the present one adds a value.
      digest.add(name)
      if let value = longValues[name] {
        digest.add(value)
      } else if let value = request.combined(name) {
        digest.add(counting(value, of: name, &longValues))
      }
      digest.add("")
    }
    return digest.description
  }

  /// The form in which a value enters the digest. A long value counts byte for byte, by a digest of its own,
  /// so that all variants read it only once.
  private static func counting(
    _ value: String, of name: String, _ longValues: inout [String: String]
  ) -> String {
    guard value.utf8.count > greatestNormalized else { return normalized(value, of: name) }
    var digest = Digest()
    digest.add(value)
    // No value has a line break.
    let counting = "\n\(digest.description)"
    longValues[name] = counting
    return counting
  }

  /// The longest value, in bytes, that is normalized.
  private static let greatestNormalized = 256

  /// A value without the differences that section 4.1 lets a cache ignore. They are: white space between list
  /// members, a weight of one, the case where it has no meaning, and the order of codings. The order of
  /// languages and types stays: some servers prefer the first one of equal weight.
  private static func normalized(_ value: String, of name: String) -> String {
    guard negotiation.contains(name) else { return value }
    var members = FieldSyntax.listMembers(value).map(withoutWeightOfOne)
    if name != "accept" { members = members.map(FieldSyntax.lowercased) }
    if name == "accept-encoding" { members.sort() }
    return members.joined(separator: ",")
  }

  /// Leaves out a weight of one, which is the default (RFC 9110 section 12.4.2). One that stands before other
  /// parameters stays: their meaning would change.
  private static func withoutWeightOfOne(_ member: String) -> String {
    guard let semicolon = member.lastIndex(of: ";"), !member.contains("\"") else { return member }
    let weight = FieldSyntax.trimmed(member[member.index(after: semicolon)...])
    guard ["q=1", "q=1.", "q=1.0", "q=1.00", "q=1.000"].contains(FieldSyntax.lowercased(weight))
    else { return member }
    return FieldSyntax.trimmed(member[..<semicolon])
  }

  /// RFC 9110 section 12.5.
  private static let negotiation: Set = [
    "accept", "accept-charset", "accept-encoding", "accept-language",
  ]
}

/// The digests of one request, by the names that select variants. Each value is read only once for all variants.
///
/// It depends only on the fields of the request, so that all values are equal.
package final class SelectionDigests: Sendable, Hashable {
  private struct State {
    var digests: [[String]: String] = [:]
    var longValues: [String: String] = [:]
  }

  private let state = Mutex(State())

  /// Creates an empty one.
  package init() {}

  /// The digest of a request's values for these names, which are in lower case and sorted.
  ///
  /// - Parameter fields: The fields of the request, the same in each call.
  package func digest(_ names: [String], in fields: HeaderFields) -> String {
    state.withLock { state in
      if let known = state.digests[names] { return known }
      // Most resources have one list of names.
      if state.digests.count >= Self.greatestCount { state = State() }
      let digest = VarySelection.digest(names, in: fields, &state.longValues)
      state.digests[names] = digest
      return digest
    }
  }

  package static func == (left: SelectionDigests, right: SelectionDigests) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}

  /// The number of copies that one address may have.
  private static let greatestCount = 32
}
