#if CommandLine
  internal import ArgumentParser
  internal import FreshHTTP

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

    /// The fields sent to one address: the headers of its origin, then those of the command line.
    func fields(to url: URLText, and lines: [String]) throws -> HeaderFields {
      let own = try read()?.fields[url.origin] ?? HeaderFields()
      return HeaderFields(own.lines + (try HeaderText.fields(lines)).lines)
    }
  }
#endif
