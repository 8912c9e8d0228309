internal import FreshStore

/// The replies of a script that no request has got yet.
struct Replies<Answer: Sendable>: Sendable {
  private var byName: [ExactName: [ScriptedReply<Answer>]] = [:]
  private var toAnybody: [ScriptedReply<Answer>] = []

  /// Adds replies to the requests for a key or a list, or to any.
  mutating func add(_ replies: [ScriptedReply<Answer>], for name: String?) {
    if let name { byName[name, default: []] += replies } else { toAnybody += replies }
  }

  /// The reply to the next request for a key or a list: its own go first.
  mutating func take(for name: String) -> ScriptedReply<Answer> {
    if var own = byName[name], !own.isEmpty {
      let reply = own.removeFirst()
      byName[name] = own
      return reply
    }
    return toAnybody.isEmpty ? .served : toAnybody.removeFirst()
  }
}
