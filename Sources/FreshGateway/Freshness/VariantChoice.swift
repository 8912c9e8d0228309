internal import FreshHTTP
internal import Strategies

/// The choice among the stored answers of one key (RFC 9111 section 4.1).
enum VariantChoice {
  /// The place of the candidate that answers the request: of those whose nominated fields match the most
  /// recent; `nil` when there is none.
  ///
  /// One without `Vary` answers every request, but not where a more recent one shows that the resource
  /// varies: some omit the field from what they send by default. In the cache of one user that is one which tells by
  /// nothing but `Authorization`.
  ///
  /// An error of the server stands before nothing that is none, nor does it show anything of the resource: of two that
  /// were on their way at the same time neither knew of the other (``hidesGood(_:_:)``).
  static func index(among candidates: [Candidate], for request: GatewayRequest) -> Int? {
    // Most addresses have one copy, for all requests.
    if candidates.count == 1, candidates[0].answer.selection == .every {
      return suits(candidates[0], request) ? 0 : nil
    }
    let matching = candidates.indices.filter { index in
      let candidate = candidates[index]
      guard request.selects(candidate.answer.selection), suits(candidate, request) else {
        return false
      }
      let own = width(candidate.answer.selection)
      guard own < widest else { return true }
      return !candidates.contains { other in
        width(other.answer.selection) > own && !other.answer.isServerError
          && isOlder(candidate, other)
      }
    }
    let good = matching.filter { !candidates[$0].answer.isServerError }
    return (good.isEmpty ? matching : good).max { isOlder(candidates[$0], candidates[$1]) }
  }

  /// True where an error of the server, kept under a selection, would take the place of a copy that is none, or answer a
  /// request that such a copy does.
  static func hidesGood(_ selection: VarySelection, _ candidates: [Candidate]) -> Bool {
    candidates.contains { candidate in
      !candidate.answer.isServerError && !areApart(selection, candidate.answer.selection)
    }
  }

  /// True where no request selects both.
  private static func areApart(_ one: VarySelection, _ other: VarySelection) -> Bool {
    guard case .fields(let names, let digest) = one,
      case .fields(let otherNames, let otherDigest) = other
    else { return false }
    return names == otherNames && digest != otherDigest
  }

  /// By how much a selection tells requests apart: by nothing, by `Authorization`, as each does in the cache of one
  /// user, or by what the origin has named.
  private static func width(_ selection: VarySelection) -> Int {
    switch selection {
    case .every: 0
    case .fields(let names, digest: _):
      // Each request for what varies comes here: no array is made to compare with.
      names.count == 1 && names[0] == "authorization" ? 1 : widest
    case .none: widest
    }
  }

  private static let widest = 2

  /// By `Date` (section 4.1), which every stored answer has; then by its coming.
  static func isOlder(_ one: Candidate, _ other: Candidate) -> Bool {
    let dates = [one, other].map { $0.answer.terms.validators.date ?? $0.answer.receivedAt }
    return dates[0] == dates[1]
      ? one.answer.receivedAt < other.answer.receivedAt : dates[0] < dates[1]
  }

  /// The fields of requests that the answers of a resource are selected by, as its most recent answer has them;
  /// empty where that answers every request.
  static func selectingFields(_ candidates: [Candidate]) -> [String] {
    let latest = candidates.max { one, other in
      if isOlder(one, other) { return true }
      return !isOlder(other, one) && one.answer.selection == .every
        && other.answer.selection != .every
    }
    guard let latest, case .fields(let names, digest: _) = latest.answer.selection else {
      return []
    }
    return names
  }

  /// True for what an origin tells apart by who asks. It is described for no other request: a tag may confirm its bytes, but
  /// the fields that stand with them were one session's.
  static func isOfOneSession(_ candidate: Candidate) -> Bool {
    guard case .fields(let names, digest: _) = candidate.answer.selection else { return false }
    return !credentials.isDisjoint(with: names)
  }

  private static let credentials: Set = ["authorization", "cookie"]

  /// Parts answer a request for parts that are among them, and a HEAD only when they are all.
  static func suits(_ candidate: Candidate, _ request: GatewayRequest) -> Bool {
    let content = candidate.answer.content
    guard !content.isWhole else { return true }
    guard let ranges = request.ranges,
      case .parts(let parts) = ranges.resolved(in: content.completeLength)
    else { return false }
    return parts.allSatisfy(content.contains)
  }
}

extension VarySelection {
  /// What an answer is selected by; in the cache of one user also by `Authorization`, whatever it says: a copy
  /// that was fetched with one answers no other, and none that is without. By what a reverse proxy tells of each client
  /// no two requests are the same.
  ///
  /// - Parameter stored: What a copy was selected by that the answer confirms. Its bytes are those of before: what they
  ///   were selected by counts on, also where a confirmation names less, as some do that are made before a session is
  ///   looked at.
  init(
    of answer: HeaderFields, confirming stored: VarySelection = .every, for request: GatewayRequest,
    _ policy: GatewayPolicy
  ) {
    var others = policy.isShared ? [] : ["authorization"]
    if case .fields(let names, digest: _) = stored { others += names }
    let names = Self.nominated(by: answer, besides: others)
    let isForOne = names.map { !ForwardedFields.perClient.isDisjoint(with: $0) } ?? true
    self.init(isForOne ? nil : names, digest: request.digest)
  }
}

extension GatewayRequest {
  /// The digest of its values for the names of fields, in lower case and sorted.
  func digest(_ names: [String]) -> String { digests.digest(names, in: fields) }

  /// True where it selects what a stored answer is (RFC 9111 section 4.1).
  func selects(_ selection: VarySelection) -> Bool {
    switch selection {
    case .every: true
    case .none: false
    case .fields(let names, let digest): self.digest(names) == digest
    }
  }
}
