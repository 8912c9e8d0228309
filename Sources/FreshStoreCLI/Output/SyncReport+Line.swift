#if CommandLine
  internal import FreshSync

  extension SyncReport {
    /// For people.
    var line: String {
      let parts = [
        (fetched, "fetched"), (notModified, "confirmed"), (gone, "gone"),
        (lists, "lists followed"), (pushed, "sent"), (conflicts, "given up for the source's"),
        (parked, "parked"), (failed, "failed"), (deferred, "put off"),
        (held, "held up"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      return parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
    }
  }
#endif
