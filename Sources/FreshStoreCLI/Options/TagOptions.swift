#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// The labels of a value.
  struct TagOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A label to mark by. May be repeated.", valueName: "tag"))
    var tag: [String] = []

    func validate() throws {
      if tag.contains("") { throw ValidationError("a --tag must not be empty") }
    }

    /// Refuses a tag by which the hosts of a fleet could not mark.
    func checkForFleet() throws {
      let limit = SharedNameLimit.tag
      guard let long = tag.first(where: { $0.utf8.count > limit }) else { return }
      throw ValidationError(
        "a --tag has at most \(limit) bytes in a fleet, and this one has \(long.utf8.count)")
    }

    /// The tags; `nil` keeps those a record has.
    var tags: Set<String>? { tag.isEmpty ? nil : Set(tag) }
  }
#endif
