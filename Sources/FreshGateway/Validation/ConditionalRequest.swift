internal import FreshHTTP

/// The request by which stored answers are validated (RFC 9111 section 4.3.1).
struct ConditionalRequest: Sendable, Hashable {
  /// The fields of the request, with conditions of this cache in the place of the client's, which are
  /// judged once the answer is here.
  let fields: HeaderFields
  /// The places of the candidates that were described to the origin.
  let asked: [Int]

  /// The tag of the selected variant is sent alone: a 304 can only be about that then, and whoever sends it need not
  /// tell by its own tag about which of several, as many do not (``Renewal``). Where none is selected those of the others
  /// are sent.
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
      // Of another variant only a strong tag says that these are the bytes that are wanted, and of parts
      // only where they are all that is wanted (section 4.3.2).
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

  /// True for bytes in another coding than the request is to get: without one, where the origin may have them in one that
  /// it accepts, or in one that it does not accept. An origin that looks at the tag before it thinks of the coding would
  /// confirm them, the former as nginx does, the latter where it has one strong tag for all codings; and they would go on to
  /// be what all get who ask so.
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

  /// The tags of more variants would make a request that origins refuse.
  private static let greatestCount = 16
}

/// The codings that a request accepts (RFC 9110 section 12.5.3), read once for all copies that may be in one.
private struct AcceptedCodings {
  /// True where one is named beside that of no coding at all.
  let hasOthers: Bool
  /// In lower case. The first member of a name counts; `*` is for what is not named.
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
