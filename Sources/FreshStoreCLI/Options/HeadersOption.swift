#if CommandLine
  internal import ArgumentParser

  /// The option for headers that are private to this user and an origin.
  struct HeadersOption: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Send headers from a file that only you can read, with lines such as "
          + "'https://example.org Authorization: Bearer …': each goes to that origin alone, never along "
          + "a redirect to another one. # begins a comment. It is read once, at the start.",
        valueName: "path"), completion: .file())
    var headers: String?

    /// The file; `nil` without the option.
    func read() throws(CommandFailure) -> HeadersFile? {
      guard let headers else { return nil }
      return try HeadersFile(path: headers)
    }
  }
#endif
