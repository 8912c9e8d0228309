#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore prune`: removes old records.
  struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "prune",
      abstract: "Remove old records and give their space back to the disk.",
      discussion: """
        The oldest go first. Pinned records and records with a local write that waits to be sent \
        are never removed.

        EXAMPLES
          freshstore prune --older-than 30d
          freshstore prune --max-total 500M
          freshstore prune --max-count 1000 --collection http --dry-run
        """)

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("Records last updated this long ago.", valueName: "duration"),
      transform: DurationText.span)
    var olderThan: Duration?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("Keep at most this many records.", valueName: "count"))
    var maxCount: Int?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Keep at most this many bytes, names and details included: 512, 10k, 5M, 1G.",
        valueName: "size"),
      transform: SizeText.parse)
    var maxTotal: Int?
    @Option(
      help: ArgumentHelp("Only this collection. (default: all)", valueName: "name"),
      completion: .collections)
    var collection: String?
    @Flag(help: "Count what would be removed; remove nothing.") var dryRun = false
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      guard olderThan != nil || maxCount != nil || maxTotal != nil else {
        throw ValidationError(
          "say what to prune: --older-than, --max-count or --max-total, or several of them")
      }
      if let maxCount, maxCount < 0 {
        throw ValidationError("the --max-count must not be negative")
      }
    }

    func run() async throws {
      try await Session.run(endsInOrder: true) { [self] in
        try await OpenStore.use(store) { store in try await prune(store) }
      }
    }

    private static func words(left bytes: Int) -> String {
      "\(bytes) bytes of long values may still be read by clients of a gateway: the next sweep or prune after 10 minutes "
        + "removes them, as a gateway does by itself"
    }

    private func prune(_ store: Store) async throws {
      var options = PruneOptions()
      options.collection = collection
      options.olderThan = olderThan
      options.maximumCount = maxCount
      options.maximumBytes = maxTotal
      options.isDryRun = dryRun
      let result = try await Console.whileWorking("pruning") { [options] in
        try await store.prune(options)
      }
      let left = dryRun ? 0 : try store.quickStatistics().leftBytes
      let fields: JSONFields = [
        "removed": result.removed, "bytes": result.bytes, "fileBytes": result.fileBytes,
        "leftBytes": left,
        "longestHoldSeconds": result.longestHold / .seconds(1), "isDryRun": result.isDryRun,
      ]
      try output.print(
        fields,
        or: [
          "\(result.isDryRun ? "would remove" : "removed") "
            + "\(RecordSelection.words(result.removed)) with \(result.bytes) bytes"
            + (result.isDryRun ? "" : "; the file shrank by \(result.fileBytes) bytes")
        ] + (left > 0 ? [Self.words(left: left)] : []))
    }
  }
#endif
