#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// What `outbox list --json` prints of a local write.
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

    /// The same in one line.
    var line: String {
      [
        "\(id)", state.rawValue, kind.rawValue, collection, key, "\(bytes)", "\(attempts)",
        failure ?? "-",
      ].map(Console.printable).joined(separator: "\t")
    }
  }
#endif
