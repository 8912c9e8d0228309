internal import Strategies

/// The fleet's answer to a request that a caller makes by itself, as a gateway does.
package enum FleetAnswer: Sendable {
  /// This host asks the source: for all hosts, or, where the fleet gives no answer, for itself only.
  case asking(SourceRequest)
  /// The request has ended: another host's record is here now, or another change has come in between.
  case decideAgain
}

extension RecordCollection {
  /// Asks the fleet before the source. A host without a fleet does not wait.
  ///
  /// If the fleet has the record, it is stored here. Otherwise the fleet grants its lease, or the request waits for the
  /// host that holds the lease.
  ///
  /// ``update(_:answering:about:at:)`` then hands the record under the key itself on to the fleet, and no record under
  /// another key.
  ///
  /// - Parameters:
  ///   - request: An exclusive request about the key.
  ///   - asksAlways: True for a caller that another host's record does not help.
  ///   - limit: The longest wait for another host.
  ///   - accepts: Returns false for a record that is of no use to the caller, and stays in its place until an answer
  ///     replaces it. Another kind of program has kept the record, or it breaks the caller's rules.
  package func joinFleet(
    _ request: SourceRequest, about key: String, asksAlways: Bool, atMost limit: Duration,
    accepting accepts: @Sendable (KeptRecord<Value>) async -> Bool
  ) async -> FleetAnswer {
    await join(
      request, key, atMost: limit, accepting: accepts,
      claiming: { FleetClaim($0, asksAlways: asksAlways) })
  }

  /// Takes over the fleet's record of a key, if there is one. It takes no lease there, and waits for no host.
  ///
  /// A failure of the shared tier is reported, and changes no record here.
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
    var keeper = LeaseKeeper([claim.lease], .none, in: store)
    defer { keeper.cancel() }
    let end = ContinuousClock.now + limit
    var pause = Duration.milliseconds(5)
    var awaited: String?
    while !Task.isCancelled {
      do throws(StoreError) {
        let kept = claim.lease.fence
        let step = try await ask(fleet, key, &claim, accepting: accepts)
        if claim.lease.fence != kept {
          keeper.cancel()
          keeper = LeaseKeeper([claim.lease], .none, in: store)
        }
        switch step {
        case .word(let word): return word
        case .again: continue
        case .held(let owner, let remaining):
          let left = end - ContinuousClock.now
          // The previous holder's record is of no use to other hosts: they would wait for one another.
          guard left > .zero, awaited ?? owner == owner else {
            return .asking(SourceRequest(open: .leased(claim.lease)))
          }
          awaited = owner
          await wait(min(pause, left, max(remaining, .milliseconds(1))))
          pause = min(pause * 2, .milliseconds(200))
        }
      } catch {
        // The host asks the source by itself.
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
      // The task was cancelled: the waiting caller looks for that.
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
    // The tier does not hold back a key that it says nothing of.
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
          Storage.FleetUpdate.Found(lease: claim.lease, write: write, seen: current?.edition)
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
        // A local write takes precedence over the finding, and no request is made under the lease.
        await end(SourceRequest(open: .leased(claim.lease)))
      }
      return step
    } catch {
      part.releaseAll(reporting: store)
      throw error
    }
  }

  /// The finding in the form to be stored here; `nil` when it is of no use, or older than this host's record of the
  /// source.
  private func usable(
    _ finding: SharedFinding, _ key: String, over current: StoredRecord?, asked: ClockReading
  ) -> Storage.Write? {
    if let most = current?.mostAgeInFleet(at: asked), finding.record.age > most { return nil }
    guard let write = finding.record.write(name, key, over: current, asked: asked),
      write.kind == .value
    else { return nil }
    return write
  }

  /// The record of a finding, with its value; `nil` for a value of another format.
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
    _ meeting: Storage.FleetUpdate, _ question: FleetQuestion, _ fleet: FleetMember
  ) async throws(StoreError) -> Storage.FleetUpdateResult {
    let result = try await store.meet(meeting, question)
    // The remaining marks of a long absence may then cover the answer, which costs another fetch.
    if !result.isUpToDate { store.catchUpSoon(with: fleet) }
    return result
  }

  private func settle(
    _ result: Storage.FleetUpdateResult, _ key: String, _ claim: inout FleetClaim,
    _ part: FleetPart,
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

  /// Takes a record back from the fleet when an answer removes it here: the fleet's record is no newer.
  ///
  /// This must come before the removal here, because the next request would bring the record back.
  ///
  /// - Parameter part: The fleet's leases that the request holds. A request of a single client holds none, and takes
  ///   the lease of the key only for this.
  func takeBack(_ key: String, under part: FleetPart) async {
    guard let fleet = store.fleet else { return }
    // This heeds no cancellation, as the removal itself.
    await Task { [self] in
      let held = part.isNone ? await claim(key, in: fleet) : part
      guard let lease = held.leases.values.first else { return }
      await SharedLanding(
        store: store, fleet: fleet, landings: [(lease, nil)], heard: held.heard
      ).run()
    }.value
  }

  /// The fleet's lease of a key, whether or not the fleet has a record; none where another host holds the lease.
  ///
  /// That host's answer will replace the fleet's record.
  private func claim(_ key: String, in fleet: FleetMember) async -> FleetPart {
    let claim = SharedClaim(SharedKey(name, key), asksAlways: true, ignoresPause: true)
    do throws(StoreError) {
      for _ in 0..<20 {
        let reply = try await store.claim([claim], in: fleet, bringsNews: false)
        switch reply.results[claim.key] {
        case .granted(let lease):
          return FleetPart(fleet: fleet, leases: [key: lease], heard: reply.heard)
        // This host may still be handing on a record that it has just stored.
        case .held(fleet.host, _): await wait(.milliseconds(10))
        default: return .none
        }
      }
    } catch {
      if error.sharedTierFailure == nil { store.report(.notStored(error)) }
    }
    return .none
  }

  /// Hands on the record that a request has stored under its own key, in the background: no caller waits for it.
  ///
  /// If there is no such record, or another one is there by now, such as a put, this ends the fleet's lease.
  func handOn(_ request: SourceRequest, storing stored: [Storage.CopyUpdate.Known]) {
    let part = request.part
    guard let fleet = part.fleet, let (key, lease) = part.leases.first else { return }
    guard let known = stored.last(where: { $0.key.hasSameBytes(as: key) }) else {
      return part.releaseAll(reporting: store)
    }
    fleet.call { [store, name] in
      do throws(StoreError) {
        // A record that only a mark of this host covers would be fresh on all other hosts.
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
  /// Another host is fetching the key, and holds the lease for this time.
  case held(by: String, Duration)
}

extension RecordCollection {
  /// A record of the fleet in the form to be stored and served here, and its value; `nil` when the source must be
  /// asked.
  ///
  /// - Parameters:
  ///   - copy: The copy on this host.
  ///   - asked: The time of the question to the fleet.
  ///   - began: The time at which the get began.
  func usable(
    _ finding: SharedFinding, _ key: String, over copy: JudgedCopy<Value>?, _ policy: Policy,
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

  /// The greatest age of a finding that takes the place of a fetch.
  ///
  /// - A get that asks the source in any case takes a finding from after its request.
  /// - A refresh of a copy that may be served takes a finding that is younger than the copy.
  /// - No get takes a finding that is older than this host's record of the source.
  private func mostAge(
    over copy: JudgedCopy<Value>?, _ policy: Policy, at now: ClockReading, began: ClockReading
  ) -> Duration? {
    if policy.mode.asksAlways { return .milliseconds(now.sinceBoot - began.sinceBoot) }
    guard let copy, let most = copy.record?.mostAgeInFleet(at: now) else { return nil }
    return copy.decision.isServable ? most - .seconds(2) : most
  }
}
