#if Gateway
  internal import FreshStore

  /// Writes the values that are put together for the records of one answer.
  struct ContentWriters {
    private let request: SourceRequest?
    private var writers: [ContentWriter] = []

    init(for request: SourceRequest?) { self.request = request }

    /// Begins another value.
    mutating func next(in store: Store) -> ContentWriter {
      let writer = ContentWriter(store, for: request)
      writers.append(writer)
      return writer
    }

    /// Gives up what no record has by now.
    func giveUp() async {
      for writer in writers { await writer.giveUp() }
    }
  }
#endif
