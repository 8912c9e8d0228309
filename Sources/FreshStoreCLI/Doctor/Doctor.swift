#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// What a look at a store says to its owner.
  struct Doctor {
    let diagnosis: Diagnosis
    /// True when nobody named the store: the first get makes it, and its folder.
    let isDefaultPath: Bool

    /// Everything that can be told of the store and the machine, in a fixed order.
    var findings: [Finding] {
      [file] + permissions + [folder, fileSystem, space, log, sqlite, salvage, sweep]
        + facts.map { [structure($0), outbox($0), queue($0), origins($0)] }.joined()
        + clock
    }

    /// What stands in the store, where that could be read.
    private var facts: [StoreFacts] {
      guard case .store(let facts) = diagnosis.content else { return [] }
      return [facts]
    }

    /// How long ago a moment was.
    func age(of moment: Timestamp) -> Duration {
      max(.zero, diagnosis.now.wall.duration(since: moment))
    }
  }
#endif
