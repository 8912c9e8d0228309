internal import Strategies

/// The freshness gate: one pure function from a stored record, the time and a policy to a decision.
///
/// It reads no clock and no storage; the chain's reachability strategy is the one thing it asks.
struct Gate: Sendable {
  let chain: Chain<RecordStamps>
  let allowedSkew: Duration
  /// What the chain asks about reachability, where all that comes before its timestamp strategy is that
  /// question and the one for marks, as in the standard chain: whatever is not marked and not past its
  /// expiry is let through then, and the age alone settles most reads. `nil` with any other chain.
  var provider: (any ReachabilityProvider)?

  /// What is judged.
  struct Question {
    var collection: String
    var key: String
    var record: JudgedRecord?
    /// What fetches found of the way to the source; it changes no verdict, only the words.
    var evidence: Reachability?
  }

  /// Decides. With `explains` set the decision carries the whole trace.
  func decide(
    _ question: Question, policy: Policy, now: ClockReading, explains: Bool = false
  ) -> Decision {
    let judge = Judge(gate: self, policy: policy, now: now, explains: explains)
    guard let record = question.record else {
      return judge.decision(question, .missing, .nothingStored)
    }
    guard record.kind != .unfetched else {
      return judge.decision(question, .missing, .neverFetched)
    }
    guard record.isIntact else { return judge.decision(question, .unusable, .damaged) }
    // A program reads its own writes, however old they are and whatever the source may say.
    if record.isPending {
      return judge.decision(question, record.kind == .value ? .fresh : .absent, .pendingWrite)
    }
    if !explains, let decision = decideByAge(question, record, policy, now) { return decision }
    if let cause = pastHardEnd(record, policy.hardEnd, now) {
      return judge.decision(question, .unusable, cause)
    }
    return judge.byChain(question, record)
  }
}

extension Gate {
  /// The gate of a store.
  init(_ configuration: Configuration) {
    let skew = configuration.allowedSkew
    let standard: Chain<RecordStamps> = [
      .reachability(configuration.reachability), .invalidation, .timestamp(allowedSkew: skew),
      .default,
    ]
    let chain = configuration.chain ?? standard
    self.init(
      chain: chain, allowedSkew: skew, provider: Self.provider(of: chain, allowedSkew: skew))
  }

  private static func provider(
    of chain: Chain<RecordStamps>, allowedSkew: Duration
  ) -> (any ReachabilityProvider)? {
    var provider: (any ReachabilityProvider)?
    for strategy in chain.strategies {
      if provider == nil, let asked = strategy.provider {
        provider = asked
        continue
      }
      switch strategy.base {
      case is InvalidationStrategy<RecordStamps>: continue
      case let time as TimestampStrategy<RecordStamps> where time.allowedSkew == allowedSkew:
        return provider ?? FixedReachability(.online)
      default: return nil
      }
    }
    return nil
  }

  /// The decision on a record that the chain finds fresh by its age alone, in a fraction of the time;
  /// `nil` when it takes the chain to tell.
  private func decideByAge(
    _ question: Question, _ record: JudgedRecord, _ policy: Policy, _ now: ClockReading
  ) -> Decision? {
    guard let provider, record.kind == .value, record.mark == nil, record.hardEnd == nil,
      policy.hardEnd == nil, let lastUpdate = record.lastUpdate(at: now),
      let age = lastUpdate.age(at: now.wall, allowedSkew: allowedSkew)
    else { return nil }
    let reason: Reason
    switch record.expiry {
    case .after(let expiry) where age < expiry: reason = .age(age, expiry: expiry)
    case .never: reason = .neverExpires
    case .after, .immediately, .unstated: return nil
    }
    let mustRevalidate = record.mustRevalidate || policy.mustRevalidate
    guard mustRevalidate || !isOffline(provider, policy.reachability) else { return nil }
    let facts = DecisionFacts(
      collection: question.collection, key: question.key, outcome: .fresh,
      decidedBy: "timestamp", cause: .chain(reason), trace: [], now: now.wall,
      lastUpdate: lastUpdate, age: age, expiry: record.expiry, staleSince: nil,
      mustRevalidate: mustRevalidate,
      graceWhileRevalidating: record.graceWhileRevalidating ?? policy.graceWhileRevalidating,
      graceOnError: record.graceOnError ?? policy.graceOnError, hardEnd: nil, mark: nil,
      failures: record.failures, failure: record.failure, nextAttempt: record.nextAttempt,
      isPauseNamed: record.isPauseNamed)
    return Decision(facts)
  }

  private func isOffline(
    _ provider: any ReachabilityProvider, _ handling: JudgementContext.ReachabilityHandling
  ) -> Bool {
    switch handling {
    case .ask: provider.reachability().isProvablyOffline
    case .ignore: false
    case .assume(let assumed): assumed.isProvablyOffline
    }
  }

  /// A record whose age cannot be told, because it comes from the future, may be past any end.
  private func pastHardEnd(
    _ record: JudgedRecord, _ hardEnd: Duration?, _ now: ClockReading
  ) -> Decision.Cause? {
    guard let hardEnd = record.hardEnd ?? hardEnd, let lastUpdate = record.lastUpdate(at: now)
    else { return nil }
    let age = now.wall.duration(since: lastUpdate)
    guard age >= hardEnd || age < .zero - allowedSkew else { return nil }
    return .pastHardEnd(age: age, hardEnd: hardEnd)
  }
}

extension Gate {
  /// One decision under way.
  private struct Judge {
    let gate: Gate
    let policy: Policy
    let now: ClockReading
    let explains: Bool

    func byChain(_ question: Question, _ record: JudgedRecord) -> Decision {
      let stamps = RecordStamps(question.collection, question.key, record, now: now)
      let mustRevalidate = record.mustRevalidate || policy.mustRevalidate
      let handling = mustRevalidate ? .ignore : policy.reachability
      let judgement = judgement(stamps, handling, question.evidence)
      guard judgement.verdict == .valid else {
        return decision(question, record.kind == .absent ? .missing : .stale, judgement)
      }
      guard record.kind == .value else { return decision(question, .absent, judgement) }
      // Offline is a reason to serve what is stale; what is fresh anyway is simply fresh.
      let mayBeByReachability = Self.restsOnReachability(judgement)
      let isFresh = !mayBeByReachability || self.judgement(stamps, .ignore, nil).verdict == .valid
      return decision(question, isFresh ? .fresh : .offline, judgement)
    }

    /// True when reachability may have decided: it did itself, or had a say among others, who together
    /// do not tell whose it was.
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
      let context = JudgementContext(now: now.wall, reachability: handling, evidence: evidence)
      return explains
        ? gate.chain.explain(stamps, in: context) : gate.chain.judge(stamps, in: context)
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
        age: lastUpdate.map { max(.zero, now.wall.duration(since: $0)) },
        expiry: record?.expiry ?? .unstated,
        staleSince: outcome == .fresh || outcome == .absent
          ? nil : staleSince(record, lastUpdate),
        mustRevalidate: record?.mustRevalidate == true || policy.mustRevalidate,
        graceWhileRevalidating: record?.graceWhileRevalidating ?? policy.graceWhileRevalidating,
        graceOnError: record?.graceOnError ?? policy.graceOnError,
        hardEnd: record?.hardEnd ?? policy.hardEnd, mark: record?.mark,
        failures: record?.failures ?? 0, failure: record?.failure,
        nextAttempt: record?.nextAttempt, isPauseNamed: record?.isPauseNamed ?? false)
      return Decision(facts)
    }

    /// The earlier of the expiry and the mark; now, when neither says. A mark from the future tells that
    /// the clock was set back: it may be as old as the copy.
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
