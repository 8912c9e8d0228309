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
}
