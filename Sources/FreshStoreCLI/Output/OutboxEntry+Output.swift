#if CommandLine
  internal import FreshStore
  internal import Strategies

  extension OutboxEntry {
    /// The output of `outbox list --json` for a local write.
    var fields: JSONFields {
      [
        "id": id, "collection": collection, "key": key, "kind": kind, "state": state,
        "idempotencyKey": idempotencyKey, "writtenAt": writtenAt.description, "bytes": size,
        "attempts": attempts, "nextAttempt": nextAttempt?.description, "failure": failure,
      ]
    }

    /// The same in one line; the last column has the reason of the last failure and the time of the
    /// next attempt, where there are such.
    var line: String {
      let words = [failure, nextAttempt.map { "due again \($0)" }].compactMap(\.self)
      return [
        "\(id)", state.rawValue, kind.rawValue, collection, key, "\(size)", "\(attempts)",
        words.isEmpty ? "-" : words.joined(separator: "; "),
      ].map(Console.printable).joined(separator: "\t")
    }
  }
#endif
