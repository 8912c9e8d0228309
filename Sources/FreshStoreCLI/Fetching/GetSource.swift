#if CommandLine
  internal import FreshHTTP
  internal import FreshStore

  /// The origin that a get fetches from.
  enum GetSource: Sendable {
    case url(String, HTTPSource, tags: Set<String>?, isVerbose: Bool)
    case command(CommandSource)
    /// Nothing to fetch from: the copy alone answers. Says what to do where there is none.
    case none(String)

    func fetch(_ previous: Previous<[UInt8]>) async throws -> Fetched<[UInt8]> {
      switch self {
      case .url(let url, let source, let tags, let isVerbose):
        try await source.fetch(url, previous: previous).mapDetails { details in
          details.tags = tags ?? details.tags
          if isVerbose, details.isExpiryGuessed, let expiry = details.expiry {
            Console.note(
              "\(Console.quoted(key: url)): the response states no lifetime; by its Last-Modified it "
                + "holds for \(expiry.words), a tenth of the time since then; --expiry says otherwise"
            )
          }
        }
      case .command(let source):
        try await source.fetch()
      case .none: throw CommandFailure(.usage, "there is nothing to fetch from")
      }
    }
  }
#endif
