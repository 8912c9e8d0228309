internal import Strategies

extension RecordCollection {
  /// A record of the fleet as it may be stored and served here, and its value; `nil` when the source must be asked.
  ///
  /// - Parameters:
  ///   - copy: What is here.
  ///   - asked: When the fleet was asked.
  ///   - began: When the get began.
  func usable(
    _ finding: SharedFinding, _ key: String, over copy: Examined<Value>?, _ policy: Policy,
    asked: ClockReading, began: ClockReading
  ) -> (write: Storage.Write, value: Value?)? {
    if let limit = mostAge(over: copy, policy, at: asked, began: began),
      finding.record.age > limit
    {
      return nil
    }
    guard let write = finding.record.write(name, key, over: copy?.record, asked: asked) else {
      return nil
    }
    let row = Storage.row(of: write, epoch: .max, mark: nil, now: asked)
    let examined = examine(key, row, SharedPolicy(policy), now: store.now())
    switch examined.decision.outcome {
    case .absent: return (write, nil)
    case .fresh:
      guard let value = examined.value else { return nil }
      return (write, value)
    case .offline, .stale, .unusable, .missing: return nil
    }
  }

  /// The greatest age of a finding that takes the place of a fetch: who asks the source in any case takes one from
  /// after the request, who refreshes a copy that may be served one that is younger, and nobody one that is older than
  /// what this host has of the source.
  private func mostAge(
    over copy: Examined<Value>?, _ policy: Policy, at now: ClockReading, began: ClockReading
  ) -> Duration? {
    if policy.mode.asksAlways { return .milliseconds(now.sinceBoot - began.sinceBoot) }
    guard let copy, let most = copy.record?.mostAgeInFleet(at: now) else { return nil }
    return copy.decision.isServable ? most - .seconds(2) : most
  }
}
