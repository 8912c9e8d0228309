internal import FreshHTTP
internal import Strategies

/// The choice among the stored answers of one key (RFC 9111 section 4.1).
enum VariantChoice {
  /// The index of the candidate that answers the request: the most recent of those whose nominated fields match; `nil`
  /// without any.
  ///
  /// A candidate without `Vary` answers every request, unless a more recent one shows that the resource varies. Some
  /// origins omit the field from their default answer. In the cache of one user, a candidate that varies only by
  /// `Authorization` counts as one without `Vary`.
  ///
  /// A server error never comes before a good answer, and shows nothing of the resource. Two answers that were in
  /// flight at the same time knew nothing of each other (``hidesGood(_:_:)``).
  static func index(among candidates: [Candidate], for request: GatewayRequest) -> Int? {
    // Most addresses have one copy for all requests.
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

  /// True where a server error that is stored under a selection would replace a good copy, or answer a request that a
  /// good copy answers.
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

  /// The rank of a selection by the request fields that it reads. It reads none, only `Authorization` as in the cache
  /// of one user, or fields that the origin has named.
  private static func width(_ selection: VarySelection) -> Int {
    switch selection {
    case .every: 0
    case .fields(let names, digest: _):
      // Each request for a resource that varies runs this: it must allocate no array.
      names.count == 1 && names[0] == "authorization" ? 1 : widest
    case .none: widest
    }
  }

  private static let widest = 2

  /// True for the older one by `Date` (section 4.1), which every stored answer has, then by time of receipt.
  static func isOlder(_ one: Candidate, _ other: Candidate) -> Bool {
    let dates = [one, other].map { $0.answer.terms.validators.date ?? $0.answer.receivedAt }
    return dates[0] == dates[1]
      ? one.answer.receivedAt < other.answer.receivedAt : dates[0] < dates[1]
  }

  /// The request fields that select among the answers of a resource, as its most recent answer names them; empty where
  /// that answers every request.
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

  /// True for an answer that the origin selects by the user. Its validator is sent only for a request that selects it:
  /// a tag may confirm the bytes, but its other fields belong to one session.
  static func isOfOneSession(_ candidate: Candidate) -> Bool {
    guard case .fields(let names, digest: _) = candidate.answer.selection else { return false }
    return !credentials.isDisjoint(with: names)
  }

  private static let credentials: Set = ["authorization", "cookie"]

  /// True where the stored bytes suffice for the request. Parts answer a request for ranges within them, and no HEAD
  /// unless they are complete.
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
  /// The selection of an answer for a request.
  ///
  /// In the cache of one user `Authorization` always selects. A copy that was fetched with one value answers no other
  /// value, and no request without it. An answer that varies by the fields in which a reverse proxy describes each
  /// client is for no second request.
  ///
  /// - Parameter stored: The selection of the copy that the answer confirms. Its bytes stay, so their selection counts
  ///   even where the confirmation names fewer fields. Some origins confirm before they look up the session.
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
  /// The digest of its values of these fields; the names are in lower case and sorted.
  func digest(_ names: [String]) -> String { digests.digest(names, in: fields) }

  /// True where the request selects a stored answer (RFC 9111 section 4.1).
  func selects(_ selection: VarySelection) -> Bool {
    switch selection {
    case .every: true
    case .none: false
    case .fields(let names, let digest): self.digest(names) == digest
    }
  }
}
