#if CommandLine
  internal import FreshStore
  internal import FreshStoreTools
  internal import Strategies

  /// The diagnosis of a store for its owner.
  struct Doctor {
    let diagnosis: Diagnosis
    /// True when no store was named: the first get makes it, and its folder.
    let isDefaultPath: Bool

    /// All findings about the store and the machine, in a fixed order.
    var findings: [Finding] {
      [file] + permissions + [folder, fileSystem, space, log, sqlite] + salvage + [sweep]
        + missingWrites + facts.map(contents).joined() + clock
    }

    private func contents(_ facts: StoreFacts) -> [Finding] {
      [structure(facts), outbox(facts), queue(facts), origins(facts)] + fleet(facts)
    }

    /// The facts of the store, where they could be read.
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
