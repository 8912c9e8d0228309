#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import FreshStoreTools

  /// `freshstore export`: writes the records as JSON lines.
  struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write the records as JSON lines, which import takes in again.",
      discussion: """
        The first line names the format, {"format":"freshstore-export","version":1}; each other is \
        one record, in the order of collection and key: its value as "text" when it is text, as \
        "base64" when it is not, or "absent" when the source says that there is none; its last \
        update (milliseconds since 1970), its expiry (milliseconds, or "never"), its stale mark, \
        tags, validators and whatever else its freshness rests on. Nothing is lost on the way back, \
        and a store that did not change is exported as the same bytes.

        Each record is one that stood while the export ran; they are read in parts, so that a slow \
        reader keeps nobody waiting, and need not have stood together at one moment (backup's do). \
        Of a record with a local write that waits to be sent, what its source is known to hold is \
        written, and not the local write: freshstore backup has those. Standard error says how many \
        there are.

        A FILE is never overwritten, and is there only when it is whole and on the disk.

        EXAMPLES
          freshstore export news.jsonl
          freshstore export --collection http | gzip > http.jsonl.gz
          freshstore export | ssh host freshstore import
          freshstore export | jq -r 'select(.expiry == "never") | .key'

        \(ExitStatus.help((.served, "done"), (.store, "damaged records were left out, or the database failed")))
        """)

    @Argument(help: "The file to make, or - for standard output.", completion: .file())
    var file: String = "-"
    @Option(
      help: ArgumentHelp("Only this collection. (default: all)", valueName: "name"),
      completion: .collections)
    var collection: String?
    @Flag(name: .shortAndLong, help: "Do not show how far it is.") var quiet = false
    @OptionGroup var store: StoreOptions

    func validate() throws {
      if file.isEmpty { throw ValidationError("name the file to make, or - for standard output") }
    }

    func run() async throws {
      // A writer into a pipe without a reader can only be ended at once.
      try await Session.run(endsInOrder: file != "-") { [self] in
        try await OpenStore.read(store) { store in try await export(store) }
      }
    }

    private func export(_ store: Store) async throws {
      let meter = ProgressMeter(isQuiet: quiet || file == "-", pause: .seconds(5))
      defer { meter.end() }
      let damaged: [String]
      if file == "-" {
        damaged = try await write(store, meter) { try StandardOutput.jsonLines($0) }
      } else {
        let made = try makeFile()
        let descriptor = made.descriptor
        damaged = try await write(store, meter) { lines in
          do throws(Descriptor.Failure) {
            try Descriptor.write(lines, to: descriptor)
          } catch {
            throw CommandFailure(
              .inputOutput, "\(file.debugDescription) cannot be written: \(error.words)")
          }
        }
        try made.publish()
      }
      meter.end()
      let waiting = try store.localWrites(collection: collection)
      if waiting > 0 {
        Console.note(
          "\(waiting) local \(waiting == 1 ? "write is" : "writes are") not in the export; "
            + "freshstore backup has all of them")
      }
      guard damaged.isEmpty else { throw failure(damaged) }
    }

    private func makeFile() throws(CommandFailure) -> NewFile {
      do throws(StoreError) {
        return try NewFile(file, for: .export)
      } catch {
        throw CommandFailure(.inputOutput, "\(error)")
      }
    }

    /// Writes the lines, and returns the records that were left out.
    private func write(
      _ store: Store, _ meter: ProgressMeter, _ body: ([UInt8]) throws -> Void
    ) async throws -> [String] {
      var damaged: [String] = []
      var records = 0
      for try await part in store.exporting(collection: collection) {
        try body(part.lines)
        damaged += part.damagedRecords
        records += part.records
        // The total is not known in advance.
        meter.show("\(records) records written", 0, of: 1)
      }
      return damaged
    }

    private func failure(_ damaged: [String]) -> CommandFailure {
      let names = damaged.prefix(5).joined(separator: ", ") + (damaged.count > 5 ? ", …" : "")
      return CommandFailure(
        .store,
        "\(damaged.count) damaged \(damaged.count == 1 ? "record is" : "records are") not in the "
          + "export, which is whole otherwise: \(names)")
    }
  }
#endif
