#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import FreshStoreTools
  internal import Synchronization

  /// `freshstore import`: reads the output of export.
  struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Take in records that export wrote, as fresh or as stale as they were.",
      discussion: """
        Of two copies of a record the one with the later last update stays, and of two as old the \
        one in the store; with --replace the imported one takes its place, whichever is newer. A \
        record with a local write that waits to be sent is never overwritten. What was marked stale \
        in the store by tag, prefix or collection after a record was last updated is stale.

        Every good line is imported. A line that is not what export writes, or whose value breaks \
        the rules, is told on standard error by its number, and the command exits with 6. An import \
        that was cut short is made good by running it again: it writes in many short turns and may \
        be ended, even killed, at any time.

        EXAMPLES
          freshstore import news.jsonl
          gzip -dc http.jsonl.gz | freshstore import --dry-run --json
          freshstore export --db old.db | freshstore import --db new.db --replace

        \(ExitStatus.help((.served, "done"), (.refused, "lines were refused; the others are taken in"), (.inputOutput, "the file cannot be read")))
        """)

    @Argument(help: "The file to read, or - for standard input.", completion: .file())
    var file: String = "-"
    @Flag(help: "Take the imported copy, even where the store's is newer.") var replace = false
    @Flag(help: "Count what would be imported; write nothing.") var dryRun = false
    @Flag(name: .shortAndLong, help: "Do not show how far it is.") var quiet = false
    @OptionGroup(title: "Values") var admission: AdmissionOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        // The input is opened before the store is created.
        let input = try InputFile(file)
        let gate = try admission.gate()
        let result = try await OpenStore.use(
          store,
          configure: { [self] in
            $0.maximumValueSize = admission.maxSize
            if dryRun { $0.access = .readOnly }
          }
        ) { store in try await take(input, into: store, gate) }
        try tell(result)
      }
    }

    private func take(
      _ input: borrowing InputFile, into store: Store, _ gate: AdmissionGate
    ) async throws -> ImportResult {
      let meter = ProgressMeter(isQuiet: quiet, pause: .seconds(5))
      defer { meter.end() }
      var options = ImportOptions()
      options.replaces = replace
      options.isDryRun = dryRun
      if gate.rules != nil || !gate.requirements.isEmpty {
        options.rules = try gate.bytes("import", in: store)
      }
      let refusals = RefusedLines()
      options.refused = { refusals.tell($0) }
      var importing = store.importer(options)
      var read = 0
      while case let bytes = try input.next(), !bytes.isEmpty {
        try await importing.take(bytes[...])
        read += bytes.count
        let result = importing.result
        meter.show(
          "read \(result.records) records, \(dryRun ? "would import" : "imported") "
            + "\(result.imported)", input.size == nil ? 0 : read, of: input.size ?? 1)
      }
      return try await importing.finish()
    }

    private func tell(_ result: ImportResult) throws {
      var lines = [
        "\(dryRun ? "would import" : "imported") \(result.imported) of \(result.records) records "
          + "with \(result.bytes) bytes"
      ]
      if result.kept > 0 {
        lines.append("kept \(result.kept) that are as new in the store, or newer")
      }
      if result.pending > 0 {
        lines.append("kept \(result.pending) with a local write that waits to be sent")
      }
      try output.print(result, or: lines)
      guard result.refused == 0 else {
        throw CommandFailure(
          .refused,
          "\(result.refused) of \(result.records) lines were refused; correct them and "
            + "import again")
      }
    }
  }

  /// Reports the lines that an import refused, on standard error. Only the first ones are shown, because a terminal
  /// full of them says no more.
  final class RefusedLines: Sendable {
    private static let most = 20
    private let count = Mutex(0)

    func tell(_ refusal: ImportRefusal) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number <= Self.most + 1 else { return }
      guard number <= Self.most else { return Console.note("more lines are refused") }
      let key = refusal.key.map { " (\(Console.quoted(key: $0)))" } ?? ""
      let remedy = refusal.isTooLarge ? "; raise --max-size" : ""
      Console.note("line \(refusal.line)\(key): \(refusal.reason)\(remedy)")
    }
  }
#endif
