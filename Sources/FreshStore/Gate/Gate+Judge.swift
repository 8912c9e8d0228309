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

    /// The decision by one strategy of the chain; `nil` when the strategy does not decide.
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
      let limit = limit(of: stamps)
      // Offline is a reason to serve a stale record; a fresh one is simply fresh.
      let isByReachability =
        Self.mayRestOnReachability(judgement)
        && (self.judgement(stamps, .ignore, nil).verdict != .valid
          || limit != nil && Self.restsOnReachability(judgement))
      if !isByReachability, let limit {
        let name = MaximumAgeStrategy<RecordStamps>.name
        let trace = explains ? judgement.trace + [.init(strategy: name, opinion: limit)] : []
        return decision(
          question, record.kind == .absent ? .missing : .stale, .chain(limit.reason), by: name,
          trace: trace, isByPolicy: true)
      }
      guard record.kind == .value else { return decision(question, .absent, judgement) }
      return decision(question, isByReachability ? .offline : .fresh, judgement)
    }

    /// The opinion of the policy's maximum age on a record that is too old for it; `nil` for any other record.
    private func limit(of stamps: RecordStamps) -> Opinion? {
      guard let maximumAge = policy.maximumAge else { return nil }
      let strategy = MaximumAgeStrategy<RecordStamps>(maximumAge, allowedSkew: gate.allowedSkew)
      let opinion = strategy.judge(stamps, in: context(.ignore, nil))
      return opinion.verdict == .invalid ? opinion : nil
    }

    /// True when reachability may have decided, by itself or in a combined strategy. A combined strategy does not show
    /// whose verdict it took.
    private static func mayRestOnReachability(_ judgement: Judgement) -> Bool {
      if case .combined = judgement.reason { true } else { restsOnReachability(judgement) }
    }

    private static func restsOnReachability(_ judgement: Judgement) -> Bool {
      if case .reachability = judgement.reason { true } else { false }
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
      by name: String = "record", trace: [Judgement.Step] = [], isByPolicy: Bool = false
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
        hardEnd: record?.hardEnd ?? policy.hardEnd, maximumAge: policy.maximumAge,
        isByPolicy: isByPolicy, record: record)
      return Decision(facts)
    }

    /// The earliest of the expiry, the policy's maximum age and the mark; now, when there is none of them. A mark from
    /// the future shows that the clock was set back: it may be as old as the copy.
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
      if let lastUpdate, let maximumAge = policy.maximumAge {
        moments.append(lastUpdate.advanced(by: maximumAge))
      }
      return moments.min() ?? now.wall
    }
  }
}
