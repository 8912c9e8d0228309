#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import Platform

  /// `freshstore stats`: counts.
  struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats",
      abstract: "Count what the store holds.",
      discussion: """
        A line for each collection, aligned under the names of the columns on a terminal and separated by \
        tabs elsewhere; then what waits, and the size of the file. RECORDS counts values, ABSENT what its \
        source says does not exist. MARKED and EXPIRED count both; FAILING also counts keys that were \
        never fetched. A last line appears while long values are to be removed, which a sweep or a prune \
        does, or arriving at a gateway.

        EXAMPLES
          freshstore stats
          freshstore stats --json | jq .due
        """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.readIfThere(store) { store in
          let statistics = try store?.statistics() ?? Statistics()
          guard !output.json else { return try StandardOutput.json(statistics) }
          try statistics.print(isAligned: Process.outputIsTerminal)
        }
      }
    }
  }

  extension Statistics {
    fileprivate func print(isAligned: Bool) throws(CommandFailure) {
      var table = Table(
        [
          Table.Column("COLLECTION"), Table.Column("RECORDS", isNumber: true),
          Table.Column("BYTES", isNumber: true), Table.Column("ABSENT", isNumber: true),
          Table.Column("MARKED", isNumber: true), Table.Column("EXPIRED", isNumber: true),
          Table.Column("FAILING", isNumber: true), Table.Column("PINNED", isNumber: true),
        ], isAligned: isAligned)
      for collection in collections {
        let counts = [
          collection.records, collection.bytes, collection.absent, collection.marked,
          collection.expired, collection.failing, collection.pinned,
        ]
        try table.add([Console.printable(collection.name)] + counts.map { "\($0)" })
      }
      try table.finish()
      try StandardOutput.line(
        "due for a refetch: \(due); being fetched: \(leases); failing origins: \(failingOrigins)")
      try StandardOutput.line("local writes: \(waitingWrites) waiting, \(parkedWrites) parked")
      try StandardOutput.line(
        "file: \(ByteCount.words(fileBytes)), \(ByteCount.words(freeBytes)) of them free; "
          + "log: \(ByteCount.words(logBytes))")
      guard leftBytes > 0 || arrivingBytes > 0 else { return }
      try StandardOutput.line(
        "long values: \(ByteCount.words(leftBytes)) to be removed, "
          + "\(ByteCount.words(arrivingBytes)) arriving")
    }
  }
#endif
