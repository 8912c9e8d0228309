internal import Strategies

/// The freshness gate: one pure function from a stored record, the time and a policy to a decision.
/// It reads no clock and no storage, and only asks the chain's strategies.
final class Gate: Sendable {
  let chain: Chain<RecordStamps>
  let allowedSkew: Duration
  /// True when the chain has a timestamp strategy with the store's own skew. Then a record without a mark that has not
  /// expired is fresh, unless ``provider`` finds its source unreachable or a strategy of ``ahead`` decides.
  let settlesByAge: Bool
  /// The provider of reachability that the chain asks before the age.
  private let provider: any ReachabilityProvider
  /// The caller's own strategies ahead of the age; `nil` without any, as in the standard chain.
  let ahead: StrategiesAhead?

  init(
    chain: Chain<RecordStamps>, allowedSkew: Duration, provider: (any ReachabilityProvider)? = nil,
    ahead: StrategiesAhead? = nil
  ) {
    self.chain = chain
    self.allowedSkew = allowedSkew
    settlesByAge = provider != nil
    self.provider = provider ?? FixedReachability(.online)
    self.ahead = ahead
  }

  struct Question {
    let collection: String
    let key: String
    var record: JudgedRecord?
    /// The findings of fetches about the route to the source. They change no verdict, only the words.
    var evidence: Reachability?
  }

  /// Decides on a record. With `explains` the decision has the whole trace.
  func decide(
    _ question: Question, policy shared: SharedPolicy, now: ClockReading, explains: Bool = false
  ) -> Decision {
    let judge = Judge(gate: self, shared: shared, now: now, explains: explains)
    guard let record = question.record else {
      return judge.decision(question, .missing, .nothingStored)
    }
    guard record.kind != .unfetched else {
      return judge.decision(question, .missing, .neverFetched)
    }
    guard record.isIntact else { return judge.decision(question, .unusable, .damaged) }
    // A program reads its own writes, however old they are and whatever the source reports.
    if record.isPending {
      return judge.decision(question, record.kind == .value ? .fresh : .absent, .pendingWrite)
    }
    if !explains, let decision = decideByAge(question, record, shared, now) { return decision }
    if let cause = pastHardEnd(record, shared.policy.hardEnd, now) {
      return judge.decision(question, .unusable, cause)
    }
    return judge.byChain(question, record)
  }

  /// Decides on a record by a policy that is used only once.
  func decide(
    _ question: Question, policy: Policy, now: ClockReading, explains: Bool = false
  ) -> Decision {
    decide(question, policy: SharedPolicy(policy), now: now, explains: explains)
  }
}

extension Gate {
  /// The decision on a record that the chain finds fresh by its age, in a fraction of the time;
  /// `nil` when only the chain can tell.
  private func decideByAge(
    _ question: Question, _ record: JudgedRecord, _ shared: SharedPolicy, _ now: ClockReading
  ) -> Decision? {
    guard settlesByAge, record.kind == .value, record.mark == nil, record.hardEnd == nil,
      shared.policy.hardEnd == nil, let lastUpdate = record.lastUpdate(at: now),
      let age = lastUpdate.age(at: now.wall, allowedSkew: allowedSkew),
      shared.policy.maximumAge.map({ age < $0 }) ?? true
    else { return nil }
    let opinion = record.expiry.opinion(ofAge: age)
    guard opinion.verdict == .valid else { return nil }
    let mustRevalidate = record.mustRevalidate || shared.policy.mustRevalidate
    if let ahead {
      let handling = mustRevalidate ? .ignore : shared.policy.reachability
      let judge = Judge(gate: self, shared: shared, now: now, explains: false)
      if let decision = decide(by: ahead, handling, question, record, judge) {
        return decision
      }
    } else if !mustRevalidate, isOffline(shared.policy.reachability) {
      return nil
    }
    let facts = DecisionFacts(
      collection: question.collection, key: question.key, outcome: .fresh,
      decidedBy: "timestamp", cause: .chain(opinion.reason), now: now.wall, lastUpdate: lastUpdate,
      staleSince: nil, mustRevalidate: mustRevalidate,
      graceWhileRevalidating: record.graceWhileRevalidating ?? shared.policy.graceWhileRevalidating,
      graceOnError: record.graceOnError ?? shared.policy.graceOnError, hardEnd: nil,
      maximumAge: shared.policy.maximumAge, record: record)
    return Decision(facts)
  }

  /// The first decision of the strategies ahead of the age, in their order; `nil` when none decides.
  private func decide(
    by ahead: StrategiesAhead, _ handling: JudgementContext.ReachabilityHandling,
    _ question: Question, _ record: JudgedRecord, _ judge: Judge
  ) -> Decision? {
    for strategy in ahead.before {
      if let decision = judge.by(strategy, question, record) { return decision }
    }
    if isOffline(handling), let reachability = ahead.reachability,
      let decision = judge.by(reachability, question, record)
    {
      return decision
    }
    for strategy in ahead.after {
      if let decision = judge.by(strategy, question, record) { return decision }
    }
    return nil
  }

  private func isOffline(_ handling: JudgementContext.ReachabilityHandling) -> Bool {
    switch handling {
    case .ask: provider.reachability().isProvablyOffline
    case .ignore: false
    case .assume(let assumed): assumed.isProvablyOffline
    }
  }

  /// A record of unknown age, because it comes from the future, may be past any end.
  private func pastHardEnd(
    _ record: JudgedRecord, _ hardEnd: Duration?, _ now: ClockReading
  ) -> Decision.Cause? {
    guard let hardEnd = record.hardEnd ?? hardEnd, let lastUpdate = record.lastUpdate(at: now)
    else { return nil }
    let age = now.wall.duration(since: lastUpdate)
    guard age >= hardEnd || age < .zero - allowedSkew else { return nil }
    return .pastHardEnd(age: age, hardEnd: hardEnd)
  }

  /// The next moment on the wall clock at which the passing of time may change a decision; `nil` when there is none. A
  /// strategy of the chain, the policy's maximum age or the hard end names the moment.
  func nextChange(
    of record: JudgedRecord, _ decision: Decision, after now: ClockReading
  ) -> Timestamp? {
    let stamps = RecordStamps(decision.collection, decision.key, record, now: now)
    var moments: [Timestamp?] = [
      chain.nextChange(of: stamps, in: JudgementContext(now: now.wall))
    ]
    if let hardEnd = decision.hardEnd, let lastUpdate = stamps.lastUpdate {
      // A record from the future counts as past its hard end until that future has come near.
      moments += [lastUpdate.advanced(by: .zero - allowedSkew), lastUpdate.advanced(by: hardEnd)]
    }
    if let maximumAge = decision.maximumAge, let lastUpdate = stamps.lastUpdate {
      moments.append(lastUpdate.advanced(by: maximumAge))
    }
    return moments.compactMap(\.self).filter { $0 > now.wall }.min()
  }
}

/// The caller's own strategies that a chain asks before it asks about the age.
///
/// A record that none of them decides, and that has not expired, is fresh. A class, so that every read passes on one
/// reference.
final class StrategiesAhead: Sendable {
  /// The strategy that asks about reachability; `nil` without one.
  let reachability: AnyStrategy<RecordStamps>?
  /// Strategies before ``reachability``.
  let before: [AnyStrategy<RecordStamps>]
  /// Strategies after ``reachability``.
  let after: [AnyStrategy<RecordStamps>]

  /// True when only the age and the route decide, as in the standard chain.
  var isEmpty: Bool { before.isEmpty && after.isEmpty }

  /// `nil` when the chain has no timestamp strategy with the store's own skew.
  init?(_ chain: Chain<RecordStamps>, allowedSkew: Duration) {
    var reachability: AnyStrategy<RecordStamps>?
    var (before, after): ([AnyStrategy<RecordStamps>], [AnyStrategy<RecordStamps>]) = ([], [])
    for strategy in chain.strategies {
      if reachability == nil, strategy.provider != nil {
        reachability = strategy
        continue
      }
      switch strategy.base {
      case is InvalidationStrategy<RecordStamps>: continue
      case let time as TimestampStrategy<RecordStamps> where time.allowedSkew == allowedSkew:
        (self.reachability, self.before, self.after) = (reachability, before, after)
        return
      default: if reachability == nil { before.append(strategy) } else { after.append(strategy) }
      }
    }
    return nil
  }
}
