#if Gateway
  internal import FreshHTTP
  internal import FreshStore

  extension OriginRun {
    /// What an answer means together with the copies that it is about.
    struct Meaning {
      let plan: ForwardPlan
      let copies: [HeldCopy]
      let conclusion: Conclusion
    }

    /// What a 304 means for the copies that are there now, where what the request was made with has another head by now,
    /// as another request has renewed it; `nil` where that is gone, or is something else.
    ///
    /// - Parameter begun: When the request was made: a copy that came later answers it, too.
    func meaning(
      of answer: OriginAnswer, to plan: ForwardPlan, since begun: ClockReading
    ) async -> Meaning? {
      guard answer.status == 304 else { return nil }
      // It may be renewed once more while it is read.
      for _ in 0..<3 {
        let latest = core.copies(of: CopyKey(address.text), looksAgain: true)
        let now = plan.about(latest.map(\.candidate))
        let time = Duration.milliseconds(core.store.now().sinceBoot - begun.sinceBoot)
        let conclusion: Conclusion? =
          now.asked.isEmpty
          ? core.semantics.validated(now, within: time) : core.semantics.conclude(answer, to: now)
        guard let conclusion, case .copy = conclusion.reply else { return nil }
        if let loaded = await core.shelf.loadedAside(latest, for: conclusion.reply) {
          return Meaning(plan: now, copies: loaded, conclusion: conclusion)
        }
      }
      return nil
    }
  }
#endif
