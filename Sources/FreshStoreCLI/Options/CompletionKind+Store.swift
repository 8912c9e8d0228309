#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// Completions that the store knows: asked while somebody types, so they are quick, change nothing,
  /// and stay silent whatever goes wrong.
  extension CompletionKind {
    /// Names of collections.
    static var collections: CompletionKind {
      .custom { words, index, typed in
        CompletionQuestion(words, index, typed).answers { names, prefix in
          names.collections(beginningWith: prefix, limit: limit)
        }
      }
    }

    /// Keys and URLs: those of the collection that the command line names, else of the two that keys
    /// and URLs belong to.
    static var keys: CompletionKind {
      .custom { words, index, typed in
        let question = CompletionQuestion(words, index, typed)
        let places = question.value(of: "--collection").map { [$0] } ?? ["default", "http"]
        return question.answers { names, prefix in
          places.flatMap { names.keys(of: $0, beginningWith: prefix, limit: limit) }
        }
      }
    }

    /// Keys of the collection that is named just before.
    static var keysOfCollectionBefore: CompletionKind {
      .custom { words, index, typed in
        let question = CompletionQuestion(words, index, typed)
        guard let place = question.wordBefore else { return [] }
        return question.answers { names, prefix in
          names.keys(of: place, beginningWith: prefix, limit: limit)
        }
      }
    }

    /// So many are offered; who has more types on.
    private static let limit = 200
  }
#endif
