#if CommandLine
  internal import FreshStore
  internal import Platform

  /// The room on the disk of a store.
  struct DiskRoom {
    /// The index of the log, and one step of a prune in the log: a smaller one has failed with 64 KiB, and none with 96.
    private static let toPrune: UInt64 = 128 << 10

    static var words: String { ByteCount.words(Int(toPrune)) }

    /// True where a prune can begin: the log is emptied first.
    let isEnoughToPrune: Bool

    init(of path: String) {
      let real = PathName.resolved(path)
      guard let system = FoundFileSystem(of: PathName.parent(of: real)) else {
        isEnoughToPrune = true
        return
      }
      let log = UInt64(FoundFile(real + "-wal")?.size ?? 0)
      isEnoughToPrune = system.freeBytes &+ log >= Self.toPrune
    }
  }
#endif
