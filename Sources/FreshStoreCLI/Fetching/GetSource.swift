#if CommandLine
  internal import FreshHTTP
  internal import FreshStore

  /// The origin that a get fetches from.
  enum GetSource: Sendable {
    case url(String, HTTPSource, tags: Set<String>?)
    case command(CommandSource)
    /// Nothing to fetch from: the copy alone answers. Says what to do where there is none.
    case none(String)

    func fetch(_ previous: Previous<[UInt8]>) async throws -> Fetched<[UInt8]> {
      switch self {
      case .url(let url, let source, let tags):
        try await source.fetch(url, previous: previous).mapDetails { details in
          details.tags = tags ?? details.tags
        }
      case .command(let source):
        try await source.fetch()
      case .none: throw CommandFailure(.usage, "there is nothing to fetch from")
      }
    }
  }
#endif
