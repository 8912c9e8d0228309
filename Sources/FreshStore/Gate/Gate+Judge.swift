internal import Strategies

extension Gate {
  /// One decision in progress.
  struct Judge {
    let gate: Gate
    let shared: SharedPolicy
    let now: ClockReading
    let explains: Bool

    private var policy: Policy { shared.policy }

    func byChain(_ question: Question, _ record: JudgedRecord) -> Decision {
      let stamps = RecordStamps(question.collection, question.key, record, now: now)
      let judgement = judgement(stamps, handling(record), question.evidence)
      return decision(question, record, stamps, judgement)
    }

    /// The decision when the chain has reached one strategy; `nil` when that does not decide.
    func by(
      _ strategy: AnyStrategy<RecordStamps>, _ question: Question, _ record: JudgedRecord
    ) -> Decision? {
      let stamps = RecordStamps(question.collection, question.key, record, now: now)
      let context = context(handling(record), question.evidence)
      let opinion = strategy.judge(stamps, in: context)
      guard opinion.verdict.isDecided else { return nil }
      return decision(question, record, stamps, Judgement(opinion, decidedBy: strategy.name))
    }

    private func handling(_ record: JudgedRecord) -> JudgementContext.ReachabilityHandling {
      record.mustRevalidate || policy.mustRevalidate ? .ignore : policy.reachability
    }

    private func decision(
      _ question: Question, _ record: JudgedRecord, _ stamps: RecordStamps,
      _ judgement: Judgement
    ) -> Decision {
      guard judgement.verdict == .valid else {
        return decision(question, record.kind == .absent ? .missing : .stale, judgement)
      }
      guard record.kind == .value else { return decision(question, .absent, judgement) }
      // Offline is a reason to serve a stale record; a fresh one is simply fresh.
      let mayBeByReachability = Self.restsOnReachability(judgement)
      let isFresh = !mayBeByReachability || self.judgement(stamps, .ignore, nil).verdict == .valid
      return decision(question, isFresh ? .fresh : .offline, judgement)
    }

    /// True when reachability may have decided: it did itself, or took part in a combined strategy,
    /// which does not show whose verdict it was.
    private static func restsOnReachability(_ judgement: Judgement) -> Bool {
      switch judgement.reason {
      case .reachability, .combined: true
      default: false
      }
    }

    private func judgement(
      _ stamps: RecordStamps, _ handling: JudgementContext.ReachabilityHandling,
      _ evidence: Reachability?
    ) -> Judgement {
      let context = context(handling, evidence)
      return explains
        ? gate.chain.explain(stamps, in: context) : gate.chain.judge(stamps, in: context)
    }

    private func context(
      _ handling: JudgementContext.ReachabilityHandling, _ evidence: Reachability?
    ) -> JudgementContext {
      JudgementContext(now: now.wall, reachability: handling, evidence: evidence)
    }

    private func decision(
      _ question: Question, _ outcome: Decision.Outcome, _ judgement: Judgement
    ) -> Decision {
      decision(
        question, outcome, .chain(judgement.reason), by: judgement.decidedBy ?? "chain",
        trace: judgement.trace)
    }

    func decision(
      _ question: Question, _ outcome: Decision.Outcome, _ cause: Decision.Cause,
      by name: String = "record", trace: [Judgement.Step] = []
    ) -> Decision {
      let record = question.record
      let lastUpdate = record?.lastUpdate(at: now)
      let facts = DecisionFacts(
        collection: question.collection, key: question.key, outcome: outcome, decidedBy: name,
        cause: cause, trace: trace, now: now.wall, lastUpdate: lastUpdate,
        staleSince: outcome == .fresh || outcome == .absent
          ? nil : staleSince(record, lastUpdate),
        mustRevalidate: record?.mustRevalidate == true || policy.mustRevalidate,
        graceWhileRevalidating: record?.graceWhileRevalidating ?? policy.graceWhileRevalidating,
        graceOnError: record?.graceOnError ?? policy.graceOnError,
        hardEnd: record?.hardEnd ?? policy.hardEnd, record: record)
      return Decision(facts)
    }

    /// The earlier of the expiry and the mark; now, when there is neither. A mark from the future
    /// shows that the clock was set back: it may be as old as the copy.
    private func staleSince(_ record: JudgedRecord?, _ lastUpdate: Timestamp?) -> Timestamp {
      var moments: [Timestamp] = [now.wall]
      if let markedAt = record?.markedAt {
        let isToCome = markedAt > now.wall.advanced(by: gate.allowedSkew)
        moments.append(isToCome ? lastUpdate ?? markedAt : markedAt)
      }
      if let lastUpdate, let expiry = record?.expiry {
        switch expiry {
        case .after(let duration): moments.append(lastUpdate.advanced(by: duration))
        case .immediately: moments.append(lastUpdate)
        case .never, .unstated: break
        }
      }
      return moments.min() ?? now.wall
    }
  }
}
