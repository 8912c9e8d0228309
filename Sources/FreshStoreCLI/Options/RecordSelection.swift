#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// The records that a verb is for: keys, or all with a tag, a prefix, or none of both.
  struct RecordSelection: ParsableArguments {
    @Argument(help: "Keys or URLs.", completion: .keys) var key: [String] = []
    @Option(help: ArgumentHelp("Every record with this tag.", valueName: "tag"), completion: .tags)
    var tag: String?
    @Option(
      help: ArgumentHelp("Every record whose key begins so.", valueName: "prefix"),
      completion: .keys)
    var prefix: String?
    @Flag(help: "Every record.") var all = false
    @Option(
      help: ArgumentHelp(
        """
        Only this collection. Without it keys are those of http for URLs and of default for others, and \
        everything else is in all collections.
        """, valueName: "name"),
      completion: .collections)
    var collection: String?

    /// The way in which records are named.
    enum Way: Sendable {
      case keys([RecordName])
      case tag(String)
      case prefix(String)
      case all
    }

    func validate() throws { _ = try way }

    /// The way that was chosen.
    var way: Way {
      get throws {
        let ways = [!key.isEmpty, tag != nil, prefix != nil, all].filter(\.self).count
        guard ways == 1 else {
          throw ValidationError("say which records: keys, or one of --tag, --prefix and --all")
        }
        if let collection, !(1...255).contains(collection.utf8.count) {
          throw ValidationError("the name of a --collection is 1 to 255 bytes of UTF-8")
        }
        if let tag {
          guard !tag.isEmpty else { throw ValidationError("a --tag must not be empty") }
          return .tag(tag)
        }
        if let prefix {
          guard (1...1024).contains(prefix.utf8.count) else {
            throw ValidationError("a --prefix is 1 to 1,024 bytes; --all covers every record")
          }
          // The prefix of a URL is one itself.
          return .prefix(URLText.prefix(prefix))
        }
        if all { return .all }
        return .keys(try key.map { try RecordName($0, collection: collection) })
      }
    }

    /// The collections that the selection covers.
    func collections(in store: Store) throws(StoreError) -> [String] {
      if let collection { return [collection] }
      return try store.collectionNames()
    }

    /// The records that the selection finds, in words for a message.
    static func words(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

    /// Says that no record is selected.
    func noteNothing() {
      let place = collection.map { " in the collection \($0.debugDescription)" } ?? ""
      if let tag {
        Console.note("no record\(place) has the tag \(Console.printable(tag).debugDescription)")
      } else if let prefix {
        Console.note("no key\(place) begins with \(Console.quoted(key: prefix))")
      } else {
        Console.note("there is no record\(place)")
      }
    }
  }
#endif
