internal import Strategies

/// The freshness gate: one pure function from a stored record, the time and a policy to a decision.
///
/// It reads no clock and no storage; it only asks the chain's strategies.
struct Gate: Sendable {
  let chain: Chain<RecordStamps>
  let allowedSkew: Duration
  /// The provider of reachability that the chain asks before it asks about the age in the store's own way;
  /// `nil` with any other chain. A record without a mark that has not expired is fresh then, unless a
  /// strategy of ``ahead`` decides.
  var provider: (any ReachabilityProvider)?
  /// Strategies of the caller's own ahead of the age; `nil` without any, as in the standard chain.
  var ahead: StrategiesAhead?

  /// The input of a decision.
  struct Question {
    var collection: String
    var key: String
    var record: JudgedRecord?
    /// The fetches' findings about the route to the source; they change no verdict, only the words.
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
    // A program reads its own writes, however old they are and whatever the source reports.
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
  /// The decision on a record that the chain finds fresh by its age, in a fraction of the time;
  /// `nil` when only the chain can tell.
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
    if let ahead {
      let handling = mustRevalidate ? .ignore : policy.reachability
      let judge = Judge(gate: self, policy: policy, now: now, explains: false)
      if let decision = decide(by: ahead, provider, handling, question, record, judge) {
        return decision
      }
    } else if !mustRevalidate, isOffline(provider, policy.reachability) {
      return nil
    }
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

  /// The first decision of the strategies ahead of the age, in their order; `nil` when none decides.
  private func decide(
    by ahead: StrategiesAhead, _ provider: any ReachabilityProvider,
    _ handling: JudgementContext.ReachabilityHandling, _ question: Question,
    _ record: JudgedRecord, _ judge: Judge
  ) -> Decision? {
    for strategy in ahead.before {
      if let decision = judge.by(strategy, question, record) { return decision }
    }
    if isOffline(provider, handling), let reachability = ahead.reachability,
      let decision = judge.by(reachability, question, record)
    {
      return decision
    }
    for strategy in ahead.after {
      if let decision = judge.by(strategy, question, record) { return decision }
    }
    return nil
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
}
