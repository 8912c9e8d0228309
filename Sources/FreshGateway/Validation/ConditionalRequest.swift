internal import FreshHTTP

/// The request that validates stored answers (RFC 9111 section 4.3.1).
struct ConditionalRequest: Sendable, Hashable {
  /// The fields of the request, with the cache's conditions instead of the client's, which are judged once the answer
  /// is here.
  let fields: HeaderFields
  /// The indices of the candidates that were described to the origin.
  let asked: [Int]

  /// The tag of the selected variant is sent without others: a 304 can then only be about that variant. Many origins do
  /// not name the right one of several (``Renewal``). Without a selected variant the tags of the others are sent.
  ///
  /// - Parameter chosen: The candidate that the request selects, if there is one.
  init(for request: GatewayRequest, _ candidates: [Candidate], chosen: Int?) {
    var fields = request.fields.removing(["if-none-match", "if-modified-since"])
    var asked: [Int] = []
    var tags: [String] = []
    let described: [Int] =
      if let chosen { [chosen] } else {
        candidates.indices.sorted { VariantChoice.isOlder(candidates[$1], candidates[$0]) }
      }
    lazy var codings = AcceptedCodings(request.fields.combined("Accept-Encoding"))
    for index in described {
      let candidate = candidates[index]
      guard let tag = candidate.answer.terms.validators.entityTag else { continue }
      // For another variant only a strong tag confirms the wanted bytes. Parts are described only where they suffice
      // (section 4.3.2).
      guard
        index == chosen
          || !tag.isWeak && !Self.mayBeMiscoded(candidate, codings)
            && !VariantChoice.isOfOneSession(candidate),
        VariantChoice.suits(candidate, request)
      else { continue }
      if !tags.contains(tag.text) {
        guard tags.count < Self.greatestCount else { continue }
        tags.append(tag.text)
      }
      asked.append(index)
    }
    if !tags.isEmpty { fields.append("If-None-Match", tags.joined(separator: ", ")) }
    if let chosen, let date = candidates[chosen].answer.terms.validators.lastModified {
      fields.append("If-Modified-Since", date)
      if !asked.contains(chosen) { asked.append(chosen) }
    }
    self.fields = fields
    self.asked = asked
  }

  /// True for bytes whose coding may not suit the request. They are uncoded where the origin may have an accepted
  /// coding, or have a coding that the request does not accept.
  ///
  /// Some origins compare the tag before they choose the coding. They would confirm such bytes, as nginx does for
  /// uncoded ones, and origins with one strong tag for all codings do for coded ones. Then all such requests would get
  /// these bytes.
  private static func mayBeMiscoded(_ candidate: Candidate, _ accepted: AcceptedCodings) -> Bool {
    guard case .fields(let names, digest: _) = candidate.answer.selection,
      names.contains("accept-encoding")
    else { return false }
    guard let field = candidate.answer.fields.combined("Content-Encoding") else {
      return accepted.hasOthers
    }
    return !FieldSyntax.listMembers(field).allSatisfy {
      accepted.contain(FieldSyntax.lowercased($0))
    }
  }

  /// With more tags origins refuse the request.
  private static let greatestCount = 16
}

/// The codings that a request accepts (RFC 9110 section 12.5.3), read once for all copies.
private struct AcceptedCodings {
  /// True where a coding other than `identity` is named.
  let hasOthers: Bool
  /// In lower case. The first member with a name counts; `*` is for all other codings.
  private var isAccepted: [String: Bool] = [:]

  init(_ field: String?) {
    let members = FieldSyntax.listMembers(field ?? "").map(FieldSyntax.lowercased)
    hasOthers = members.contains { !$0.hasPrefix("identity") }
    for member in members {
      let parts = member.split(separator: ";").map { FieldSyntax.trimmed(String($0)) }
      guard let coding = parts.first, isAccepted[coding] == nil else { continue }
      isAccepted[coding] = !parts.dropFirst().contains(where: Self.isZero)
    }
  }

  func contain(_ coding: String) -> Bool { isAccepted[coding] ?? isAccepted["*"] ?? false }

  /// A weight of zero accepts nothing.
  private static func isZero(_ part: String) -> Bool {
    part.hasPrefix("q=") && part.utf8.dropFirst(2).allSatisfy { "0.".utf8.contains($0) }
  }
}
