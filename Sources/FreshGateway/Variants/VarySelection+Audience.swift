internal import FreshHTTP

extension VarySelection {
  /// What an answer is selected by; in the cache of one user also by `Authorization`, whatever it says: a copy
  /// that was fetched with one answers no other, and none that is without.
  init(of answer: HeaderFields, for request: HeaderFields, _ policy: GatewayPolicy) {
    var answer = answer
    if !policy.isShared { answer.append("Vary", "Authorization") }
    self.init(of: answer, for: request)
  }
}
