#if Gateway
  internal import FreshStore

  /// Writes the values that are put together for the records of one answer.
  struct ContentWriters {
    private let request: SourceRequest?
    private let room: StorageBudget
    private var writers: [ContentWriter] = []
    /// The bytes that were taken of the room.
    private var taken = 0

    /// - Parameter room: The room on the disk that all content on its way shares.
    init(for request: SourceRequest?, _ room: StorageBudget) {
      (self.request, self.room) = (request, room)
    }

    /// Begins another value; `nil` where there is no room for its length.
    mutating func next(_ length: Int64, in store: Store) -> ContentWriter? {
      guard room.take(Int(length)) else { return nil }
      taken += Int(length)
      let writer = ContentWriter(store, for: request, within: room.limit)
      writers.append(writer)
      return writer
    }

    /// Gives up what no record has by now, and all of the room.
    mutating func giveUp() async {
      for writer in writers { await writer.giveUp(isRead: false) }
      room.giveBack(taken)
      (writers, taken) = ([], 0)
    }
  }
#endif
