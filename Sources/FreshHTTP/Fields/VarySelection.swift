internal import Synchronization

/// The variant of a resource that a response is: the part of the cache key that the response's
/// `Vary` field nominates from the request (RFC 9111 section 4.1).
package enum VarySelection: Sendable, Hashable {
  /// There is no `Vary` field: the response answers every request.
  case every
  /// `Vary: *`, or a list that cannot be read: the response answers no other request.
  case none
  /// The nominated names, in lower case and sorted, and a digest of the request's values.
  ///
  /// The values themselves are not kept: `Authorization` and `Cookie` may be among them.
  case fields([String], digest: String)

  /// Selects by a response's `Vary` field from the request it answers.
  package init(of response: HeaderFields, for request: HeaderFields) {
    self.init(Self.nominated(by: response)) { Self.digest($0, in: request) }
  }

  /// Selects by the names that a response nominates, as ``nominated(by:)`` has them.
  ///
  /// - Parameter digest: That of the request's values for these names.
  package init(_ names: [String]?, digest: ([String]) -> String) {
    guard let names else {
      self = .none
      return
    }
    self = names.isEmpty ? .every : .fields(names, digest: digest(names))
  }

  /// The names that a response's `Vary` field nominates, in lower case and sorted; `nil` for `*`, for a list that
  /// cannot be read, and for one that is longer than any resource needs: to read a request by it would cost more than
  /// to ask again.
  ///
  /// - Parameter others: Names that count beside them, in lower case.
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

  /// The most names that are nominated, and the most bytes of the field.
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
    // An earlier version has nominated any number of names.
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

  /// True when the response may answer this request: every nominated field has the same value, or
  /// is absent from both.
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

  /// - Parameter longValues: Those of the same request that were met before, by name, in the form in which they count.
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

  /// A long value counts byte for byte, and by a digest of its own: it is read once, however many variants there are.
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

  /// The most bytes of a value that is brought into a form in which others count as the same.
  private static let greatestNormalized = 256

  /// The transformations section 4.1 allows, for the fields whose syntax is known to tolerate them:
  /// white space between list members, a weight of one, the case where it carries no meaning, and
  /// the order of codings. Among languages and types of one weight some servers prefer the first, so
  /// their order stays.
  private static func normalized(_ value: String, of name: String) -> String {
    guard negotiation.contains(name) else { return value }
    var members = FieldSyntax.listMembers(value).map(withoutWeightOfOne)
    if name != "accept" { members = members.map(FieldSyntax.lowercased) }
    if name == "accept-encoding" { members.sort() }
    return members.joined(separator: ",")
  }

  /// RFC 9110 section 12.4.2: a weight of one is the default. One before other parameters stays: they
  /// would change their meaning.
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

/// The digests by which one request selects variants: however many there are, its fields are read for them once.
///
/// It follows from the fields of the request, and so is equal to any other.
package final class SelectionDigests: Sendable, Hashable {
  private struct State {
    var digests: [[String]: String] = [:]
    var longValues: [String: String] = [:]
  }

  private let state = Mutex(State())

  /// Nothing was asked yet.
  package init() {}

  /// The digest of a request's values for these names, in lower case and sorted.
  ///
  /// - Parameter fields: The same ones each time.
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

  /// As many as one address has copies.
  private static let greatestCount = 32
}
