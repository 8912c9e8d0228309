internal import Strategies

/// What a fleet has to say to a request that a caller makes by itself, as a gateway does.
package enum FleetAnswer: Sendable {
  /// The source is to be asked: by this host for all, or, where the fleet gives no answer, by this host alone.
  case asking(SourceRequest)
  /// The request has ended: what another host has fetched is here now, or something else has come in between.
  case decideAgain
}

extension RecordCollection {
  /// Asks the fleet before the source: it has the record, which is stored then, or grants its lease, or another
  /// host has that, and is waited for. A host alone is not held up.
  ///
  /// What ``update(_:answering:about:at:)`` then stores under the key itself is handed on to the fleet, and nothing that
  /// it stores under other keys.
  ///
  /// - Parameters:
  ///   - request: An exclusive one about the key.
  ///   - asksAlways: True for a caller that what another host has does not help.
  ///   - limit: How long another host is waited for.
  ///   - accepts: False for a record that is of no use to the caller, as it was kept by another kind of program, or breaks
  ///     the caller's rules: it stays where it is until an answer takes its place.
  package func joinFleet(
    _ request: SourceRequest, about key: String, asksAlways: Bool, atMost limit: Duration,
    accepting accepts: @Sendable (KeptRecord<Value>) async -> Bool
  ) async -> FleetAnswer {
    await join(
      request, key, atMost: limit, accepting: accepts,
      claiming: { FleetClaim($0, asksAlways: asksAlways) })
  }

  /// Takes over what the fleet has of a key, if it has something: no lease is taken there, and nobody is waited for.
  ///
  /// A failure of the shared tier is reported, and leaves what is here.
  package func takeFromFleet(_ key: String) async throws(StoreError) {
    guard store.isOfFleet, let request = try await request(exclusively: key) else { return }
    let answer = await join(
      request, key, atMost: .zero, accepting: { _ in true },
      claiming: { FleetClaim($0, takesLease: false) })
    switch answer {
    case .asking(let request): await end(request)
    case .decideAgain: break
    }
  }

  private func join(
    _ request: SourceRequest, _ key: String, atMost limit: Duration,
    accepting accepts: @Sendable (KeptRecord<Value>) async -> Bool,
    claiming claim: (Lease) -> FleetClaim
  ) async -> FleetAnswer {
    guard let fleet = store.fleet, case .leased(let lease) = request.open else {
      return .asking(request)
    }
    var claim = claim(lease)
    // A wait may be longer than the lease.
    let keeper = keeping(request)
    defer { keeper?.cancel() }
    let end = ContinuousClock.now + limit
    var pause = Duration.milliseconds(5)
    var awaited: String?
    while !Task.isCancelled {
      do throws(StoreError) {
        switch try await ask(fleet, key, &claim, accepting: accepts) {
        case .word(let word): return word
        case .again: continue
        case .held(let owner, let remaining):
          let left = end - ContinuousClock.now
          // What the host before that has fetched is of no use to others: they would wait for one another.
          guard left > .zero, awaited ?? owner == owner else {
            return .asking(SourceRequest(open: .leased(claim.lease)))
          }
          awaited = owner
          await wait(min(pause, left, max(remaining, .milliseconds(1))))
          pause = min(pause * 2, .milliseconds(200))
        }
      } catch {
        // The host goes on as one that is alone.
        if error.sharedTierFailure == nil { store.report(.notStored(error)) }
        break
      }
    }
    return .asking(SourceRequest(open: .leased(claim.lease)))
  }

  private func wait(_ duration: Duration) async {
    do {
      try await store.pause(for: duration)
    } catch {
      // Cancelled, which whoever waits looks for.
    }
  }

  private func ask(
    _ fleet: FleetMember, _ key: String, _ claim: inout FleetClaim,
    accepting accepts: @Sendable (KeptRecord<Value>) async -> Bool
  ) async throws(StoreError) -> FleetStep {
    let asked = store.now()
    let current = try store.storage.recordToCompare(name, key)
    let wanted = SharedClaim(
      SharedKey(name, key), known: claim.known, asksAlways: claim.asksAlways, ignoresPause: true,
      takesLease: claim.takesLease)
    let reply = try await store.claim([wanted], in: fleet)
    let question = reply.question
    var meeting = reply.meeting(holding: store.configuration.leaseDuration)
    var part = FleetPart(fleet: fleet, heard: reply.heard)
    var owner = ""
    switch reply.results[wanted.key] {
    case .granted(let shared):
      part.leases = [key: shared]
      meeting.asking = [claim.lease]
    // What the tier says nothing of, it does not hold back.
    case .paused, nil: meeting.asking = [claim.lease]
    case .held(let holder, let remaining):
      try await meet(meeting, question, fleet)
      return .held(by: holder, remaining)
    case .found(let finding):
      if let write = usable(finding, key, over: current, asked: asked),
        let found = kept(write.content), await accepts(found)
      {
        owner = finding.owner
        meeting.found = [
          Storage.Meeting.Found(lease: claim.lease, write: write, seen: current?.edition)
        ]
      } else if finding.record.isWithoutValue {
        meeting.asking = [claim.lease]
      } else {
        claim.known = finding.edition
        try await meet(meeting, question, fleet)
        return .again
      }
    }
    do throws(StoreError) {
      let result = try await meet(meeting, question, fleet)
      let step = settle(result, key, &claim, part, foundBy: owner)
      if case .word(.decideAgain) = step, result.landed[key] == nil {
        // A local write stands against what was found, and nobody asks under the lease.
        await end(SourceRequest(open: .leased(claim.lease)))
      }
      return step
    } catch {
      part.releaseAll(reporting: store)
      throw error
    }
  }

  /// The finding as it may be stored here; `nil` when it is of no use, or older than what this host has of the source.
  private func usable(
    _ finding: SharedFinding, _ key: String, over current: StoredRecord?, asked: ClockReading
  ) -> Storage.Write? {
    if let most = current?.mostAgeInFleet(at: asked), finding.record.age > most { return nil }
    guard let write = finding.record.write(name, key, over: current, asked: asked),
      write.kind == .value
    else { return nil }
    return write
  }

  /// What was found, with its value; `nil` for one of another format.
  private func kept(_ content: RecordContent) -> KeptRecord<Value>? {
    guard let bytes = content.value else { return KeptRecord(found: content, value: nil) }
    do throws(UnusableValue) {
      let value = try decode(bytes, writtenBy: content.codec, content.contentVersion)
      return KeptRecord(found: content, value: value)
    } catch {
      return nil
    }
  }

  @discardableResult
  private func meet(
    _ meeting: Storage.Meeting, _ question: FleetQuestion, _ fleet: FleetMember
  ) async throws(StoreError) -> Storage.MeetingResult {
    let result = try await store.meet(meeting, question)
    // What is left of a long absence may then cover the answer, which costs another fetch.
    if !result.isUpToDate { store.catchUpSoon(with: fleet) }
    return result
  }

  private func settle(
    _ result: Storage.MeetingResult, _ key: String, _ claim: inout FleetClaim, _ part: FleetPart,
    foundBy owner: String
  ) -> FleetStep {
    if result.landed[key] != nil {
      store.report(.foundInFleet(collection: name, key: key, owner: owner))
      return .word(.decideAgain)
    }
    if claim.mustRepeat(after: result) { return .again }
    guard let lease = result.asking[key] else {
      part.releaseAll(reporting: store)
      return .word(.decideAgain)
    }
    return .word(.asking(SourceRequest(open: .leased(lease), part: part)))
  }

  /// Takes back from the fleet what it has of a key whose record an answer removes here: that is no newer. It must come
  /// before the removal here, as the next request would bring it back.
  ///
  /// - Parameter part: What the request holds of the fleet. One of a single client holds nothing, and has the lease of the
  ///   key for that alone.
  func takeBack(_ key: String, under part: FleetPart) async {
    guard let fleet = store.fleet else { return }
    // As the removal itself, it heeds no cancellation.
    await Task { [self] in
      let held = part.isNone ? await claim(key, in: fleet) : part
      guard let lease = held.leases.values.first else { return }
      await SharedLanding(
        store: store, fleet: fleet, landings: [(lease, nil)], heard: held.heard
      ).run()
    }.value
  }

  /// The fleet's lease of a key, whatever it has; nothing where another host has that, whose answer will take the place of
  /// what is there.
  private func claim(_ key: String, in fleet: FleetMember) async -> FleetPart {
    let claim = SharedClaim(SharedKey(name, key), asksAlways: true, ignoresPause: true)
    do throws(StoreError) {
      for _ in 0..<20 {
        let reply = try await store.claim([claim], in: fleet, bringsNews: false)
        switch reply.results[claim.key] {
        case .granted(let lease):
          return FleetPart(fleet: fleet, leases: [key: lease], heard: reply.heard)
        // What was just stored here may still be on its way.
        case .held(fleet.host, _): await wait(.milliseconds(10))
        default: return .none
        }
      }
    } catch {
      if error.sharedTierFailure == nil { store.report(.notStored(error)) }
    }
    return .none
  }

  /// Hands on what a request has stored under its own key, where no caller waits for it; ends the fleet's lease where
  /// there is nothing of that kind, or something else is there by now, such as a put.
  func handOn(_ request: SourceRequest, storing stored: [Storage.CopyUpdate.Known]) {
    let part = request.part
    guard let fleet = part.fleet, let (key, lease) = part.leases.first else { return }
    guard let known = stored.last(where: { $0.key.hasSameBytes(as: key) }) else {
      return part.releaseAll(reporting: store)
    }
    fleet.call { [store, name] in
      do throws(StoreError) {
        // One that a mark of this host alone covers would be fresh for all others.
        guard let record = try store.storage.recordToShare(name, key), record.isSame(as: known),
          record.mark == nil, !record.isCovered
        else { return part.releaseAll(reporting: store) }
        await SharedLanding(
          store: store, fleet: fleet, landings: [(lease, record)], heard: part.heard
        ).run()
      } catch {
        part.releaseAll(reporting: store)
      }
    }
  }
}

private enum FleetStep {
  case word(FleetAnswer)
  case again
  /// Another host is fetching it, and has this long.
  case held(by: String, Duration)
}

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
