internal import Strategies

extension Gate {
  /// The next moment on the wall clock at which time alone may change the decision on a record: by a
  /// strategy of the chain, by the policy's maximum age, or by the hard end; `nil` when there is none.
  func nextChange(
    of record: JudgedRecord, _ decision: Decision, after now: ClockReading
  ) -> Timestamp? {
    let stamps = RecordStamps(decision.collection, decision.key, record, now: now)
    var moments: [Timestamp?] = [
      chain.nextChange(of: stamps, in: JudgementContext(now: now.wall))
    ]
    if let hardEnd = decision.hardEnd, let lastUpdate = stamps.lastUpdate {
      // A record from the future is past any end until that has come near.
      moments += [lastUpdate.advanced(by: .zero - allowedSkew), lastUpdate.advanced(by: hardEnd)]
    }
    if let maximumAge = decision.maximumAge, let lastUpdate = stamps.lastUpdate {
      moments.append(lastUpdate.advanced(by: maximumAge))
    }
    return moments.compactMap(\.self).filter { $0 > now.wall }.min()
  }
}
