#if CommandLine
  internal import ArgumentParser
  internal import FreshHTTP
  internal import FreshStore

  /// `freshstore outbox show`: one local write, and the version that it met.
  struct OutboxShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract:
        "Show a local write: what it was based on, what it says, and what its source holds.",
      discussion: """
        The base is what the write was made from, or what the source was last known to hold before the local \
        writes of the key; mine is what this write sends; theirs is what a write that is parked for it has met \
        at its source. A refused write shows the answer of its source, too. With --theirs the source is asked \
        what it holds now; nothing is stored. --only prints one of the three as it is, for diff and merge.

        EXAMPLES
          freshstore outbox show 17
          freshstore outbox show 17 --theirs
          diff <(freshstore outbox show 17 --only base) <(freshstore outbox show 17 --only mine)
          freshstore outbox show 17 --json | jq -r .mine.value

        \(ExitStatus.help(
          (.served, "shown"),
          (.nothingToServe, "there is no such write, or --only names a version that is not there"),
          (.fetchFailed, "--theirs: the source did not answer")))
        """)

    /// The versions of the object.
    enum Version: String, ExpressibleByArgument, CaseIterable {
      case base, mine, theirs
    }

    @Argument(
      help: "The number of the write, as freshstore outbox list shows it.", completion: .writes)
    var number: OutboxEntry.ID
    @Flag(help: "Ask its source what it holds now.") var theirs = false
    @Option(
      help: "Print this version alone, as it is; theirs is what it has met, or asks the source.")
    var only: Version?
    @OptionGroup var headers: HeadersOption
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      if only != nil, output.json {
        throw ValidationError("--only prints a version as it is; leave --json out")
      }
    }

    func run() async throws {
      try await Session.run(endsInOrder: true) { [self] in
        try await OpenStore.readIfThere(store) { store in
          guard let write = try store?.localWrite(number) else {
            throw CommandFailure.noWrites([number])
          }
          try await show(write)
        }
      }
    }

    private func show(_ write: LocalWriteVersions) async throws {
      var versions: [(Version, [UInt8]?)] = [(.base, write.base), (.mine, write.content)]
      if theirs || only == .theirs && write.met == nil {
        let found = try await remote(of: write)
        versions.append((.theirs, found))
        if let met = write.met, met != found.map(LocalWriteVersions.Met.value) ?? .nothing {
          Console.note(
            "the source holds another version by now than the write has met; freshstore outbox send \(number) has "
              + "it meet that")
        }
      } else if let met = write.met {
        versions.append((.theirs, met.value))
      }
      if let only {
        guard let value = versions.first(where: { $0.0 == only })?.1 else {
          throw CommandFailure(.nothingToServe, "there is no \(only.rawValue): \(absence(only))")
        }
        return try StandardOutput.value(value)
      }
      if output.json {
        var fields: JSONFields = ["address": write.address, "contentType": write.contentType]
        for (version, value) in versions {
          let shown = value.map { JSONFields(value: $0) } ?? ["absent": true]
          fields = fields + [version.rawValue: shown]
        }
        return try StandardOutput.json(write.entry.fields + fields)
      }
      try StandardOutput.line(write.entry.line)
      if let address = write.address {
        try StandardOutput.line(Console.printable("to \(address)"))
      }
      if let refusal = write.entry.refusal {
        let status = refusal.status.map { " with status \($0)" } ?? ""
        try StandardOutput.line("--- refused\(status), \(refusal.body.count) bytes")
        for (name, value) in refusal.headers.sorted(by: { $0.key < $1.key }) {
          try StandardOutput.line(Console.printable("\(name): \(value)"))
        }
        try show(refusal.body)
      }
      for (version, value) in versions {
        guard let value else {
          try StandardOutput.line("--- \(version.rawValue): none, \(absence(version))")
          continue
        }
        try StandardOutput.line("--- \(version.rawValue), \(value.count) bytes")
        try show(value)
      }
    }

    private func show(_ value: [UInt8]) throws {
      try StandardOutput.value(value)
      if value.last != UInt8(ascii: "\n") { try StandardOutput.line("") }
    }

    private func absence(_ version: Version) -> String {
      switch version {
      case .base: "the source held nothing, or nobody knows"
      case .mine: "it deletes the object"
      case .theirs: "the source says that it does not exist, or that it may not be kept"
      }
    }

    /// The value at the source; `nil` when the source holds nothing.
    private func remote(of write: LocalWriteVersions) async throws -> [UInt8]? {
      guard let address = write.address, URLText.isURL(address) else {
        throw CommandFailure(.usage, "the write names no address to ask; leave --theirs out")
      }
      let sources = try connection.sources(headers)
      do {
        let fetched = try await sources.closing {
          try await sources.fetch(address, previous: Previous<[UInt8]>(key: write.entry.key))
        }
        guard case .value(let value, _) = fetched else { return nil }
        return value
      } catch {
        throw CommandFailure(.fetchFailed, "\(error)")
      }
    }
  }
#endif
