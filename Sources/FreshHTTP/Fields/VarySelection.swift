/// The variant of a resource that a response is: the part of the cache key that the response's
/// `Vary` field nominates from the request (RFC 9111 section 4.1).
package enum VarySelection: Sendable, Hashable {
  /// There is no `Vary` field: the response answers every request.
  case every
  /// `Vary: *`, or a list that cannot be read: the response answers no other request.
  case none
  /// The nominated names, in lower case and sorted, and a fingerprint of the request's values.
  ///
  /// The values themselves are not kept: `Authorization` and `Cookie` may be among them.
  case fields([String], fingerprint: String)

  /// Selects by a response's `Vary` field from the request it answers.
  package init(of response: HeaderFields, for request: HeaderFields) {
    let names = Set(
      FieldSyntax.listMembers(response.combined("Vary") ?? "").map(FieldSyntax.lowercased))
    if names.isEmpty {
      self = .every
    } else if names.contains("*") || !names.allSatisfy(FieldSyntax.isToken) {
      self = .none
    } else {
      let sorted = names.sorted()
      self = .fields(sorted, fingerprint: Self.fingerprint(sorted, in: request))
    }
  }

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
    self = .fields(parts[0].split(separator: ",").map(String.init), fingerprint: String(parts[1]))
  }

  /// One line to store: `nil` for ``every``, `*` for ``none``, else `name,name=fingerprint`.
  package var encoded: String? {
    switch self {
    case .every: nil
    case .none: "*"
    case .fields(let names, let fingerprint): "\(names.joined(separator: ","))=\(fingerprint)"
    }
  }

  /// True when the response may answer this request: every nominated field has the same value, or
  /// is absent from both.
  package func matches(_ request: HeaderFields) -> Bool {
    switch self {
    case .every: true
    case .none: false
    case .fields(let names, let fingerprint):
      Self.fingerprint(names, in: request) == fingerprint
    }
  }

  private static func fingerprint(_ names: [String], in request: HeaderFields) -> String {
    var fingerprint = Fingerprint()
    for name in names {
      // An absent field and an empty one differ: only the present one adds a value.
      fingerprint.add(name)
      if let value = request.combined(name) {
        fingerprint.add(normalized(value, of: name))
      }
      fingerprint.add("")
    }
    return fingerprint.description
  }

  /// The transformations section 4.1 allows, for the fields whose syntax is known to tolerate them:
  /// white space between list members, and the case where it carries no meaning.
  private static func normalized(_ value: String, of name: String) -> String {
    guard negotiation.contains(name) else { return value }
    let members = FieldSyntax.listMembers(value).joined(separator: ",")
    return name == "accept" ? members : FieldSyntax.lowercased(members)
  }

  /// RFC 9110 section 12.5.
  private static let negotiation: Set = [
    "accept", "accept-charset", "accept-encoding", "accept-language",
  ]
}
