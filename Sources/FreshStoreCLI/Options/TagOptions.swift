#if CommandLine
  internal import ArgumentParser

  /// The labels of a value.
  struct TagOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A label to mark by. May be repeated.", valueName: "tag"))
    var tag: [String] = []

    func validate() throws {
      if tag.contains("") { throw ValidationError("a --tag must not be empty") }
    }

    /// The tags; `nil` keeps those a record has.
    var tags: Set<String>? { tag.isEmpty ? nil : Set(tag) }
  }
#endif
