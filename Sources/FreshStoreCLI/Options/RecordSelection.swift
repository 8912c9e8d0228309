#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// The records that a verb acts on: by key, by tag, by prefix, or all.
  struct RecordSelection: ParsableArguments {
    @Argument(help: "Keys or URLs.", completion: .keys) var key: [String] = []
    @Option(
      help: ArgumentHelp("Every record with this tag; may be repeated.", valueName: "tag"),
      completion: .tags)
    var tag: [String] = []
    @Option(
      help: ArgumentHelp("Every record whose key begins so; may be repeated.", valueName: "prefix"),
      completion: .keys)
    var prefix: [String] = []
    @Flag(help: "Every record.") var all = false
    @Option(
      help: ArgumentHelp(
        """
        Only this collection. Without it keys are those of http for URLs and of default for others, and \
        everything else is in all collections.
        """, valueName: "name"),
      completion: .collections)
    var collection: String?

    /// The way in which records are selected.
    enum Way: Sendable {
      case keys([RecordName])
      case tags([String])
      case prefixes([String])
      case all
    }

    func validate() throws { _ = try way }

    /// The way that the options choose.
    var way: Way {
      get throws {
        let ways = [!key.isEmpty, !tag.isEmpty, !prefix.isEmpty, all].filter(\.self).count
        guard ways == 1 else {
          throw ValidationError(
            ways == 0
              ? "say which records: keys, or one of --tag, --prefix and --all"
              : "keys, --tag, --prefix and --all exclude each other; choose one of them")
        }
        if let collection { try RecordName.check(collection: collection) }
        if !tag.isEmpty {
          guard !tag.contains("") else { throw ValidationError("a --tag must not be empty") }
          return .tags(tag)
        }
        if !prefix.isEmpty {
          guard prefix.allSatisfy({ (1...1024).contains($0.utf8.count) }) else {
            throw ValidationError("a --prefix is 1 to 1,024 bytes; --all covers every record")
          }
          // The prefix of a URL is a URL itself.
          return .prefixes(prefix.map(URLText.prefix))
        }
        if all { return .all }
        return .keys(try key.map { try RecordName(stored: $0, collection: collection) })
      }
    }

    /// The collections that the selection covers.
    func collections(in store: Store) throws(StoreError) -> [String] {
      if let collection { return [collection] }
      return try store.collectionNames()
    }

    /// The same for a mark in a fleet. The collections of other hosts are not known here.
    func marked(in store: Store) throws -> [String] {
      let places = try collections(in: store)
      guard !places.isEmpty else {
        throw CommandFailure(
          .nothingToServe, "no collection is stored here; name one of the fleet by --collection")
      }
      return places
    }

    /// A number of records, in words for a message.
    static func words(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

    /// Reports that no record is selected.
    func noteNothing() {
      let place = collection.map { " in the collection \($0.debugDescription)" } ?? ""
      if !tag.isEmpty {
        let tags = tag.map { Console.printable($0).debugDescription }.joined(separator: " or ")
        Console.note("no record\(place) has the tag \(tags)")
      } else if !prefix.isEmpty {
        let prefixes = prefix.map { Console.quoted(key: $0) }.joined(separator: " or ")
        Console.note("no key\(place) begins with \(prefixes)")
      } else {
        Console.note("there is no record\(place)")
      }
    }
  }
#endif
