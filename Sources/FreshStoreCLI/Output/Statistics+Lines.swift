#if CommandLine
  internal import FreshStore

  extension Statistics {
    /// The counts for people, a collection a line.
    var lines: [String] {
      collections.map { collection in
        "\(Console.printable(collection.name)): \(collection.records) records, "
          + "\(collection.bytes) bytes, \(collection.absent) absent, \(collection.marked) marked, "
          + "\(collection.expired) expired, \(collection.failing) failing, "
          + "\(collection.pinned) pinned"
      } + [
        "due for a refetch: \(due); being fetched: \(leases); failing origins: \(failingOrigins)",
        "file: \(fileBytes) bytes, \(freeBytes) of them free; log: \(logBytes) bytes",
      ]
    }
  }
#endif
