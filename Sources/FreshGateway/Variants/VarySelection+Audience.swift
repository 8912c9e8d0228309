internal import FreshHTTP

extension VarySelection {
  /// What an answer is selected by; in the cache of one user also by `Authorization`, whatever it says: a copy
  /// that was fetched with one answers no other, and none that is without. By what a reverse proxy tells of each client
  /// no two requests are the same.
  init(of answer: HeaderFields, for request: HeaderFields, _ policy: GatewayPolicy) {
    let names = FieldSyntax.listMembers(answer.combined("Vary") ?? "").map(FieldSyntax.lowercased)
    guard ForwardedFields.perClient.isDisjoint(with: names) else {
      self = .none
      return
    }
    var answer = answer
    if !policy.isShared { answer.append("Vary", "Authorization") }
    self.init(of: answer, for: request)
  }

  /// The same of a copy that was confirmed to a request. Its bytes are those of before: what they were selected by
  /// counts on, also where a confirmation names less, as some do that are made before a session is looked at.
  init(
    of answer: HeaderFields, confirming stored: VarySelection, for request: HeaderFields,
    _ policy: GatewayPolicy
  ) {
    var answer = answer
    if case .fields(let names, digest: _) = stored {
      answer.append("Vary", names.joined(separator: ", "))
    }
    self.init(of: answer, for: request, policy)
  }
}
