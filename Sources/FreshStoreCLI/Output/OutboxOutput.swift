#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// The output of `outbox list --json` for a local write.
  struct OutboxOutput: Encodable {
    let id: OutboxEntry.ID
    let collection: String
    let key: String
    let kind: OutboxEntry.Kind
    let state: OutboxEntry.State
    let idempotencyKey: String
    let writtenAt: String
    let bytes: Int
    let attempts: Int
    let nextAttempt: String?
    let failure: String?

    init(_ entry: OutboxEntry) {
      id = entry.id
      collection = entry.collection
      key = entry.key
      kind = entry.kind
      state = entry.state
      idempotencyKey = entry.idempotencyKey
      writtenAt = entry.writtenAt.description
      bytes = entry.size
      attempts = entry.attempts
      nextAttempt = entry.nextAttempt?.description
      failure = entry.failure
    }

    /// The reason of the last failure and the time of the next attempt, where there are such.
    private var words: String {
      let next = nextAttempt.map { "due again \($0)" }
      let words = [failure, next].compactMap { $0 }
      return words.isEmpty ? "-" : words.joined(separator: "; ")
    }

    /// The same in one line.
    var line: String {
      [
        "\(id)", state.rawValue, kind.rawValue, collection, key, "\(bytes)", "\(attempts)",
        words,
      ].map(Console.printable).joined(separator: "\t")
    }
  }
#endif
