#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import FreshStoreTools

  /// `freshstore recover`: makes a new store from the remains of a damaged one.
  struct RecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recover",
      abstract: "Copy what can be read of a damaged store into a new one.",
      discussion: """
        Local writes come first, which exist nowhere else, those of files included that were moved \
        aside as DAMAGED.damaged-1 and so on and not salvaged yet; then the records whose checksum \
        holds, with tags, stale marks, pins and lists. Of a file that was moved aside those are left out \
        that its store has taken over. The content of damaged pages is lost and read \
        around; the rest is taken over even where the way to it is damaged. Where tags or marks are \
        lost, records are taken over as stale.

        DAMAGED and its -wal are only read; end what uses them first. NEW must not exist, and is \
        there only when it is whole. If local writes cannot be read, nothing is made and the command \
        exits with 7, unless --accept-lost-writes is given.

        EXAMPLES
          freshstore recover store.db.damaged-1 recovered.db
          freshstore recover /var/cache/news/store.db new.db --accept-lost-writes --json
          freshstore check --db new.db

        \(ExitStatus.help((.served, "done"), (.store, "local writes are lost, or the file cannot be read"), (.inputOutput, "the new file is there already")))
        """)

    @Argument(help: "The damaged database file.", completion: .file()) var damaged: String
    @Argument(help: "The file to make; there must be none of that name.", completion: .file())
    var new: String
    @Flag(help: "Go on with the local writes that can be read when others cannot.")
    var acceptLostWrites = false
    @Flag(
      help:
        "Take over also the local writes that the store has taken over before; sent again, they may undo newer ones."
    )
    var takenWrites = false
    @OptionGroup var output: JSONOption

    func validate() throws {
      if damaged.isEmpty || new.isEmpty { throw ValidationError("name two files") }
    }

    func run() async throws {
      try await Session.run(endsInOrder: true) { [self] in try await recover() }
    }

    private func recover() async throws {
      guard Descriptor.exists(damaged) else {
        throw CommandFailure(.inputOutput, "there is no file \(damaged.debugDescription)")
      }
      var options = RecoveryOptions()
      options.acceptsLostWrites = acceptLostWrites
      options.includesTakenWrites = takenWrites
      Console.progress("recovering")
      defer { Console.endProgress() }
      let result: RecoveryResult
      do throws(StoreError) {
        result = try await Store.recover(damaged, to: new, options: options)
      } catch {
        guard case .writesLost(let file, let writes) = error.code else { throw error }
        throw CommandFailure(.store, Self.words(file, writes))
      }
      Console.endProgress()
      try output.print(result, or: Self.lines(result).map(Console.printable))
    }

    private static func words(_ file: String, _ writes: Int?) -> String {
      let lost =
        writes.map { "\($0) of the local writes in \(file) cannot be read" }
        ?? "how many local writes \(file) held cannot be told"
      return lost + "; nothing was made. --accept-lost-writes goes on with those that can be read"
    }

    private static func lines(_ result: RecoveryResult) -> [String] {
      var lines = [
        "local writes: \(result.writes) taken over, "
          + (result.lostWrites.map { "\($0) lost" } ?? "an unknown number lost"),
        "records: \(result.records) taken over, "
          + (result.unreadableRecords.map { "\($0) unreadable" }
            ?? "an unknown number unreadable"),
      ]
      if result.takenWrites > 0 {
        lines.append(
          "local writes left out, as the store has taken them over before: \(result.takenWrites) "
            + "(--taken-writes includes them)")
      }
      if result.staleRecords > 0 {
        lines.append(
          "\(result.staleRecords) records are marked stale, for what made others so is lost")
      }
      return lines + ["made \(result.path)"]
    }
  }
#endif
