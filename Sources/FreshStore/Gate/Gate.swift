internal import Strategies

/// The freshness gate: one pure function from a stored record, the time and a policy to a decision.
///
/// It reads no clock and no storage; the chain's reachability strategy is the one thing it asks.
struct Gate: Sendable {
  let chain: Chain<RecordStamps>
  let allowedSkew: Duration

  /// What is judged.
  struct Question {
    var collection: String
    var key: String
    var record: StoredRecord?
    /// The invalidation that covers the record, when one does.
    var coveringMark: StoredRecord.Mark?
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
    if let cause = judge.pastHardEnd(record) {
      return judge.decision(question, .unusable, cause)
    }
    return judge.byChain(question, record)
  }
}

extension Gate {
  /// One decision under way.
  private struct Judge {
    let gate: Gate
    let policy: Policy
    let now: ClockReading
    let explains: Bool

    /// A record whose age cannot be told, because it comes from the future, may be past any end.
    func pastHardEnd(_ record: StoredRecord) -> Decision.Cause? {
      guard let hardEnd = record.content.hardEnd ?? policy.hardEnd,
        let lastUpdate = record.lastUpdate(at: now)
      else { return nil }
      let age = now.wall.duration(since: lastUpdate)
      guard age >= hardEnd || age < .zero - gate.allowedSkew else { return nil }
      return .pastHardEnd(age: age, hardEnd: hardEnd)
    }

    func byChain(_ question: Question, _ record: StoredRecord) -> Decision {
      let stamps = RecordStamps(record, coveringReason: question.coveringMark?.reason, now: now)
      let mustRevalidate = record.content.mustRevalidate || policy.mustRevalidate
      let handling = mustRevalidate ? .ignore : policy.reachability
      let judgement = judgement(stamps, handling, question.evidence)
      guard judgement.verdict == .valid else {
        return decision(question, record.kind == .absent ? .missing : .stale, judgement)
      }
      guard record.kind == .value else { return decision(question, .absent, judgement) }
      // Offline is a reason to serve what is stale; what is fresh anyway is simply fresh.
      let isByReachability = Self.restsOnReachability(judgement)
      let isFresh = !isByReachability || self.judgement(stamps, .ignore, nil).verdict == .valid
      return decision(question, isFresh ? .fresh : .offline, judgement)
    }

    private static func restsOnReachability(_ judgement: Judgement) -> Bool {
      switch judgement.reason {
      case .reachability, .combined("reachability"): true
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

    private func mark(_ question: Question) -> String? {
      question.record?.invalidation(coveringReason: question.coveringMark?.reason)
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
      let content = question.record?.content
      let lastUpdate = question.record?.lastUpdate(at: now)
      return Decision(
        collection: question.collection, key: question.key, outcome: outcome, decidedBy: name,
        cause: cause, trace: trace, now: now.wall, lastUpdate: lastUpdate,
        age: lastUpdate.map { max(.zero, now.wall.duration(since: $0)) },
        expiry: content?.expiry ?? .unstated,
        staleSince: outcome == .fresh || outcome == .absent
          ? nil : staleSince(question, lastUpdate),
        mustRevalidate: content?.mustRevalidate == true || policy.mustRevalidate,
        graceWhileRevalidating: content?.graceWhileRevalidating ?? policy.graceWhileRevalidating,
        graceOnError: content?.graceOnError ?? policy.graceOnError,
        hardEnd: content?.hardEnd ?? policy.hardEnd, mark: mark(question),
        failures: Int(question.record?.failures ?? 0), failure: question.record?.failure,
        nextAttempt: question.record?.nextAttempt)
    }

    /// The earlier of the expiry and the mark; now, when neither says.
    private func staleSince(_ question: Question, _ lastUpdate: Timestamp?) -> Timestamp {
      var moments: [Timestamp] = [now.wall]
      if let mark = question.record?.mark ?? question.coveringMark { moments.append(mark.at) }
      if let lastUpdate, let expiry = question.record?.content.expiry {
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
