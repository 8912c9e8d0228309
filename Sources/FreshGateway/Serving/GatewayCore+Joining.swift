#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  extension GatewayCore {
    /// The flight that a request waits for, and whether it is a new one, which is the caller's to run; `nil` where each
    /// request goes by itself. Whoever joins has entered.
    ///
    /// One whose answer is out of date for this request goes on for those who have joined it before, and a new one
    /// takes its place. Cost: nothing for a new one, and for one that has not asked yet; else a look at the file's marks.
    ///
    /// - Parameter moment: When the request came (``Flights/nextMoment()``); 0 takes any answer for a later one.
    func join(
      _ key: FlightKey, for request: GatewayRequest, since moment: Int, isBackground: Bool = false
    ) -> (flight: Flight, isNew: Bool)? {
      while let joined = flights.join(key, isBackground: isBackground) {
        if joined.isNew || serves(joined.flight, request, since: moment, key) { return joined }
        joined.flight.leave()
        flights.outdate(key, joined.flight)
      }
      return nil
    }

    /// True for a request that came when the answer to a flight was here already, and for which that is too old: it has
    /// to be validated each time, say, and was not since. One that was there before is too late where a cache behind the
    /// gateway has answered, which it wants to go past.
    func isTooLate(_ request: GatewayRequest, since moment: Int, for flight: Flight) -> Bool {
      guard let head = flight.head, let answer = head.shareable else { return false }
      guard !flight.isAnswered(after: moment) else { return asksPast(request, head) }
      return semantics.needsNewer(request, than: answer, residentTime: age(of: head))
    }

    /// True where a request wants a fresher answer than a cache behind the gateway has given.
    func asksPast(_ request: GatewayRequest, _ head: Flight.Head) -> Bool {
      guard case .answered(let answer) = head.outcome, let stored = head.shareable else {
        return false
      }
      return semantics.asksPast(
        request, answer, stored: stored, of: head.plan, residentTime: age(of: head))
    }

    private func age(of head: Flight.Head) -> Duration {
      .milliseconds(store.now().sinceBoot - head.arrival.sinceBoot)
    }

    /// False where something was marked, stored or removed since the origin was asked, by whatever process, or where
    /// the request came too late for the answer.
    private func serves(
      _ flight: Flight, _ request: GatewayRequest, since moment: Int, _ key: FlightKey
    ) -> Bool {
      guard let address = request.address else { return true }
      guard let asked = flight.request else {
        // What was not asked for yet will be newer than this request.
        guard let number = flight.numberAsked else { return true }
        // Nothing tells whether a change since is one of this address.
        return !isTooLate(request, since: moment, for: flight)
          && shelf.collection.numberSoFar() == number
      }
      let copyKey = CopyKey(address.text)
      // A mark of all variants is one of their prefix.
      var keys = [key.base, key.isOfAddress ? copyKey.prefix : key.key]
      guard !isTooLate(request, since: moment, for: flight) else { return false }
      let head = flight.head
      if let answer = head?.shareable { keys.append(copyKey.key(of: answer, policy)) }
      do throws(StoreError) {
        return try shelf.collection.isUpToDate(asked, about: keys, tags: head?.tags)
      } catch {
        figures.noteStored(false)
        return false
      }
    }
  }
#endif
