#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import FreshStoreTools

  /// Completions from the store: requested during typing, so they are quick, change nothing, and
  /// stay silent on any error.
  extension CompletionKind {
    /// Names of collections.
    static var collections: CompletionKind {
      names { names, prefix in names.collections(beginningWith: prefix, limit: limit) }
    }

    /// Keys and URLs: those of the collection that the command line names, else of the two default
    /// collections of keys and URLs.
    static var keys: CompletionKind {
      .custom { words, index, typed in
        let question = CompletionQuestion(words, index, typed)
        let places = question.value(of: "--collection").map { [$0] } ?? ["default", "http"]
        return question.answers { names, prefix in
          places.flatMap { names.keys(of: $0, beginningWith: prefix, limit: limit) }
        }
      }
    }

    /// Tags of records.
    static var tags: CompletionKind {
      names { names, prefix in names.tags(beginningWith: prefix, limit: limit) }
    }

    /// Numbers of local writes.
    static var writes: CompletionKind {
      names { names, prefix in names.writes(limit: limit).filter { $0.hasPrefix(prefix) } }
    }

    /// Keys of the collection named just before.
    static var keysOfCollectionBefore: CompletionKind {
      .custom { words, index, typed in
        let question = CompletionQuestion(words, index, typed)
        guard let place = question.wordBefore else { return [] }
        return question.answers { names, prefix in
          names.keys(of: place, beginningWith: prefix, limit: limit)
        }
      }
    }

    /// Names that depend on nothing else on the line.
    private static func names(
      _ ask: @escaping @Sendable (StoredNames, _ prefix: String) -> [String]
    ) -> CompletionKind {
      .custom { words, index, typed in CompletionQuestion(words, index, typed).answers(ask) }
    }

    /// The most that are offered; a user with more types on.
    private static let limit = 200
  }
#endif
