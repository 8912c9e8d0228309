#if CommandLine
  internal import ArgumentParser

  /// The collection of a key.
  struct CollectionOption: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The collection of the keys. (default: http for URLs, default for other keys)",
        valueName: "name"),
      completion: .collections)
    var collection: String?
  }
#endif
