internal import FreshHTTP

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
