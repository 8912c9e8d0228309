internal import FreshHTTP

/// The request by which stored answers are validated (RFC 9111 section 4.3.1).
struct ConditionalRequest: Sendable, Hashable {
  /// The fields of the request, with conditions of this cache in the place of the client's, which are
  /// judged once the answer is here.
  let fields: HeaderFields
  /// The places of the candidates that were described to the origin.
  let asked: [Int]

  /// - Parameter chosen: The candidate that the request selects, if there is one.
  init(for request: GatewayRequest, _ candidates: [Candidate], chosen: Int?) {
    var fields = request.fields.removing(["if-none-match", "if-modified-since"])
    var asked: [Int] = []
    var tags: [String] = []
    let others = candidates.indices.filter { $0 != chosen }
      .sorted { VariantChoice.isOlder(candidates[$1], candidates[$0]) }
    for index in (chosen.map { [$0] } ?? []) + others {
      let candidate = candidates[index]
      guard let tag = candidate.answer.terms.validators.entityTag else { continue }
      // Of another variant only a strong tag says that these are the bytes that are wanted, and of parts
      // only where they are all that is wanted (section 4.3.2).
      guard index == chosen || !tag.isWeak, VariantChoice.suits(candidate, request) else {
        continue
      }
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

  /// The tags of more variants would make a request that origins refuse.
  private static let greatestCount = 16
}
