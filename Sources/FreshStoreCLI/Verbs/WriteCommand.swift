#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import Rules

  /// `freshstore write`: a local write, which is sent to its source later.
  struct WriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "write",
      abstract: "Change an object here and now; its source is told as soon as it is in reach.",
      usage: """
        freshstore write [<options>] <url> [<file>]
        freshstore write --delete [<options>] <url>
        """,
      discussion: """
        The new value and its entry in the outbox are stored together and outlive a power cut. From \
        then on every get shows the new value, and no fetch, put, sweep or prune touches it, until \
        the source has answered. The writes of one key are sent in order, each with an \
        Idempotency-Key, so that one whose answer was lost is applied once, and with If-Match, so \
        that another's change is noticed: see freshstore sync run --conflicts.

        A value is sent by PUT; with --create only where the source has nothing yet; with \
        --patch-file the patch document in that file is sent by PATCH, and the value given is what the \
        object is expected to become. The number of the entry is printed.

        EXAMPLES
          echo 'Buy milk' | freshstore write https://example.org/notes/1 --content-type text/plain
          freshstore write --create https://example.org/notes/2 note.json
          freshstore write --delete https://example.org/notes/1
          freshstore write note-7 note.json --to https://example.org/notes/7
          freshstore sync run --once

        \(ExitStatus.help((.served, "done"), (.refused, "the value was refused: --rules, --require or --max-size")))
        """)

    @Argument(help: "The URL of the object, or a key with --to.", completion: .keys)
    var key: String
    @Argument(help: "The file to read, or - for standard input.", completion: .file())
    var file: String?

    @Flag(help: "Delete the object.") var delete = false
    @Flag(help: "Only where the source has no such object yet.") var create = false
    @Option(
      help: ArgumentHelp(
        "Send this patch document, and not the whole value.", valueName: "path"),
      completion: .file())
    var patchFile: String?
    @Option(
      help: ArgumentHelp(
        "The media type of the patch document. (default: application/merge-patch+json)",
        valueName: "type"))
    var patchType: String?
    @Option(
      help: ArgumentHelp(
        "Where the write is sent. (default: the key, else the source of the record)",
        valueName: "url"))
    var to: String?
    @Option(
      help: ArgumentHelp(
        "The media type of the value. (default: that of the record)", valueName: "type"))
    var contentType: String?
    @Flag(
      help: ArgumentHelp(
        "Take the place of the write before it, if that puts a value and was never sent: both go as "
          + "one, in its place. A deletion of what was never created takes both away, unless the "
          + "source has the object."))
    var coalesce = false
    @Option(
      help: ArgumentHelp(
        "Those of a higher priority are sent first, then those that are due for longest.",
        valueName: "number"))
    var priority = 0
    @Option(
      help: ArgumentHelp(
        "Send it after that local write, of whatever key, such as a photo after its report.",
        valueName: "number"), completion: .writes)
    var after: OutboxEntry.ID?
    @OptionGroup(title: "Values") var admission: AdmissionOptions
    @OptionGroup(title: "Values") var labels: TagOptions
    @OptionGroup var place: CollectionOption
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      let name = try RecordName(key, collection: place.collection)
      if let to { _ = try Self.address(to) }
      if delete {
        guard file == nil, patchFile == nil, contentType == nil, !create else {
          throw ValidationError(
            "a --delete has no value: leave out the file, --create, --patch-file and --content-type"
          )
        }
      }
      if create, patchFile != nil {
        throw ValidationError("--create sends a whole value; leave --patch-file out")
      }
      if patchType != nil, patchFile == nil {
        throw ValidationError("--patch-type is for --patch-file")
      }
      if patchFile == "-", (file ?? "-") == "-" {
        throw ValidationError("standard input cannot be both the value and the patch")
      }
      if to != nil, name.url != nil {
        throw ValidationError(
          "the key is a URL itself, and the write is sent there; leave --to out")
      }
    }

    func run() async throws {
      try await Session.run { [self] in try await write() }
    }

    private func write() async throws {
      let name = try RecordName(key, collection: place.collection)
      let gate = try admission.gate()
      let value = delete ? [] : try ValueFile.read(file ?? "-", limit: admission.maxSize)
      let kind = try kind()
      let entry = try await OpenStore.use(
        store, configure: { [admission] in $0.maximumValueSize = admission.maxSize }
      ) { store in
        let collection = try gate.bytes(name.collection, in: store)
        let options = try options(for: name, in: store)
        return delete
          ? try await collection.writeDeletion(of: name.key, options: options)
          : try await collection.write(value, for: name.key, as: kind, options: options)
      }
      try show(entry)
    }

    private func kind() throws -> WriteKind {
      guard let patchFile else { return create ? .create : .replace }
      let document = try ValueFile.read(patchFile, limit: admission.maxSize)
      return .patch(document, contentType: patchType ?? "application/merge-patch+json")
    }

    private func options(for name: RecordName, in store: Store) throws -> WriteOptions {
      var options = WriteOptions(
        coalesces: coalesce, tags: labels.tags, contentType: contentType, priority: priority,
        after: after)
      if let to {
        options.address = try Self.address(to)
      } else if let url = name.url {
        options.address = url.text
      } else {
        let known = try store.bytes(name.collection).read(name.key).copy?.address
        guard let known, URLText.isURL(known) else {
          throw CommandFailure(
            .usage,
            "\(Console.quoted(key: name.key)) is no http or https URL, and the record names none; "
              + "say with --to where the write is sent")
        }
      }
      return options
    }

    private static func address(_ text: String) throws(ValidationError) -> String {
      guard URLText.isURL(text) else {
        throw ValidationError("--to takes an http or https URL")
      }
      return try URLText(text).text
    }

    private func show(_ entry: OutboxEntry?) throws {
      guard let entry else {
        Console.note("the object was never sent to its source: nothing is left to send")
        return
      }
      try output.print(entry.fields, or: ["\(entry.id)"])
    }
  }
#endif
