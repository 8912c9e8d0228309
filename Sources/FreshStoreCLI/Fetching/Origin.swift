#if CommandLine
  internal import FreshHTTP
  internal import FreshStore

  /// Where a get fetches from.
  enum Origin: Sendable {
    case url(URLText, HTTPSource, tags: Set<String>?)
    case command(CommandSource)

    func fetch(_ previous: Previous<[UInt8]>) async throws -> Fetched<[UInt8]> {
      switch self {
      case .url(let url, let source, let tags):
        try await source.fetch(url.text, previous: previous).labelled(tags)
      case .command(let source):
        try await source.fetch()
      }
    }

    /// Returns when nothing is under way any more.
    func close() async {
      switch self {
      case .url(_, let source, _): await source.close()
      case .command(let source): await source.ended()
      }
    }
  }

  extension Fetched {
    fileprivate func labelled(_ tags: Set<String>?) -> Fetched {
      func labelled(_ details: FetchDetails) -> FetchDetails {
        var details = details
        details.tags = tags ?? details.tags
        return details
      }
      return switch self {
      case .value(let value, let details): .value(value, labelled(details))
      case .notModified(let details): .notModified(labelled(details))
      case .gone(let details): .gone(labelled(details))
      }
    }
  }
#endif
