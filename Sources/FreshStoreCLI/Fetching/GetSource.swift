#if CommandLine
  internal import FreshHTTP
  internal import FreshStore

  /// The origin that a get fetches from.
  enum GetSource: Sendable {
    case url(URLText, HTTPSource, tags: Set<String>?)
    case command(CommandSource)
    /// Nothing to fetch from: the copy alone answers.
    case none

    func fetch(_ previous: Previous<[UInt8]>) async throws -> Fetched<[UInt8]> {
      switch self {
      case .url(let url, let source, let tags):
        try await source.fetch(url.text, previous: previous).mapDetails { details in
          details.tags = tags ?? details.tags
        }
      case .command(let source):
        try await source.fetch()
      case .none: throw CommandFailure(.usage, "there is nothing to fetch from")
      }
    }

    /// Returns when nothing under way is worth waiting for.
    func close() async {
      switch self {
      case .url(_, let source, _): await HTTPSource.end([source])
      case .command(let source): await source.ended()
      case .none: break
      }
    }
  }
#endif
