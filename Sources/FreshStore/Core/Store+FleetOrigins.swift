internal import Strategies

/// Pauses of origins that the hosts of a fleet share.
extension Store {
  /// Takes over the pause of an origin that another host has found failing: this host's breaker is open then, too.
  /// Asks at most once a second.
  func takePause(of origin: OriginGuard, in fleet: FleetMember) async {
    let (name, now) = (origin.name, now())
    guard fleet.mayAskForPause(of: name, at: now) else { return }
    let ends = fleet.endsByHand
    do throws(StoreError) {
      let pauses = try await ask(fleet, for: .claim, bringsNews: false) {
        (tier) async throws(SharedTierError) in
        try await tier.pauses(of: [name])
      }
      guard let pause = pauses[name] else { return fleet.notePause(of: name, isPaused: false) }
      fleet.notePause(of: name, isPaused: true)
      // It has lasted that long from now on: the answer may have been late.
      let heard = self.now()
      guard fleet.isToBeTaken(pause, of: name, at: heard) else { return }
      let isTaken = try await queue.run { [storage] () throws(StoreError) -> Bool in
        guard fleet.endsByHand == ends else { return false }
        try storage.takePause(pause, of: origin, now: heard)
        return true
      }
      // Not before: one that could not be stored is heeded by nobody.
      if isTaken {
        fleet.noteTaken(pause, of: name, heeding: origin.policy.longestNamedPause, at: heard)
      }
    } catch {
      // The origin may be asked once more than the fleet would have.
      if error.sharedTierFailure == nil { report(.notStored(error)) }
    }
  }

  /// Tells the fleet what an attempt has found out about an origin (``FetchFailure/verdictForFleet``), once its breaker
  /// has heard of it.
  func tellFleet(_ verdict: OriginVerdict, of origin: OriginGuard?) {
    guard let fleet, let origin else { return }
    switch verdict {
    case .answered: endSharedPauses(of: origin.name)
    case .failed(let blame): sharePause(of: origin, because: blame.message, in: fleet)
    case .unknown: break
    }
  }

  /// Tells the fleet that an origin fails, once its breaker is open here.
  private func sharePause(of origin: OriginGuard, because reason: String, in fleet: FleetMember) {
    let name = origin.name
    fleet.call { [self] in
      let now = now()
      do throws(StoreError) {
        guard case .open(let until) = try storage.breakerState(of: origin, now: now) else { return }
        let pause = SharedPause(until.duration(since: now.wall), reason: reason)
        fleet.notePause(of: name, isPaused: true)
        try await ask(fleet, for: .complete, bringsNews: false) {
          (tier) async throws(SharedTierError) in
          try await tier.pause(name, pause)
        }
      } catch {
        if error.sharedTierFailure == nil { report(.notStored(error)) }
      }
    }
  }

  /// Ends the pause of an origin in the fleet which has answered, if this host knows of one.
  private func endSharedPauses(of origin: String) {
    guard let fleet else { return }
    for name in fleet.takePauses(of: origin) {
      // A look at once might come before that, and take the pause over again.
      _ = fleet.mayAskForPause(of: name, at: now())
      fleet.call { [self] in
        do throws(StoreError) {
          try await ask(fleet, for: .complete, bringsNews: false) {
            (tier) async throws(SharedTierError) in
            try await tier.pause(name, nil)
          }
        } catch {
          // It ends by itself.
        }
      }
    }
  }

  // MARK: By hand

  /// The pauses that a caller ends.
  enum PausesOfFleet: Sendable {
    case all
    case origin(String)
    case key(SharedKey)
  }

  /// Ends pauses in the fleet, whoever has made them, and whether this process knows of them or not. Where the fleet
  /// is out of reach they go on there, to their own end.
  ///
  /// It comes before the ends on this host: who looks in between finds none to take over, and who has looked before it
  /// was over takes none over any more.
  func endSharedPauses(byHand pauses: PausesOfFleet) async {
    guard let fleet else { return }
    defer {
      switch pauses {
      case .all: fleet.forgetPauses(of: nil)
      case .origin(let name): fleet.forgetPauses(of: name)
      case .key: break
      }
    }
    do throws(StoreError) {
      try await ask(fleet, for: .complete, bringsNews: false) {
        (tier) async throws(SharedTierError) -> Void in
        switch pauses {
        case .all: try await tier.endPauses()
        case .origin(let name): try await tier.pause(name, nil)
        case .key(let key): try await tier.endPauses(of: [key])
        }
      }
    } catch {
      // It was reported.
    }
  }
}

extension FetchFailure {
  /// The verdict for other hosts: that nothing answered may be due to this one alone.
  var verdictForFleet: OriginVerdict { isUnreachable ? .unknown : verdict }
}
