#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import FreshStoreTools

  /// `freshstore backup`: copies the store while it is in use.
  struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "backup",
      abstract: "Copy the store into one new file while it is in use, and check the copy.",
      discussion: """
        The copy is the store as it was at one moment, local writes that wait to be sent included. \
        Programs that write to the store go on meanwhile; only its log cannot be emptied until the \
        copy is done, and grows by what they write. Never overwrites: the copy is made beside its \
        place under a name that ends in .partial, checked, written to the disk, and then named.

        A copy needs no other file. To go back to it, end what uses the store, move store.db, \
        store.db-wal and store.db-shm away together, and copy it to store.db.

        EXAMPLES
          freshstore backup /var/backups/news-2026-11-21.db
          freshstore backup --db /var/cache/news/store.db --json --quiet /mnt/store.db
          freshstore list --db /var/backups/news-2026-11-21.db

        \(ExitStatus.help((.served, "done"), (.store, "the copy is damaged, or the database failed"), (.inputOutput, "the file to be made is there already")))
        """)

    @Argument(help: "The file to make; there must be none of that name.", completion: .file())
    var destination: String
    @Flag(name: .shortAndLong, help: "Do not show how far it is.") var quiet = false
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      if destination.isEmpty { throw ValidationError("name the file to make") }
    }

    func run() async throws {
      try await Session.run(endsInOrder: true) { [self] in
        // The store is opened read-only, so that the backup of a damaged store does not move it aside.
        try await OpenStore.read(store) { store in try await backUp(store) }
      }
    }

    private func backUp(_ store: Store) async throws {
      let meter = ProgressMeter(isQuiet: quiet, pause: .seconds(5))
      defer { meter.end() }
      let result = try await store.backup(to: destination) { progress in
        meter.show(
          "copied \(progress.pages) of \(progress.total) pages", progress.pages,
          of: progress.total)
      }
      meter.end()
      let words =
        "copied \(RecordSelection.words(result.records)) and \(result.localWrites) local writes, "
        + "\(result.bytes) bytes, to \(result.path)"
      try output.print(result, or: [Console.printable(words)])
    }
  }
#endif
