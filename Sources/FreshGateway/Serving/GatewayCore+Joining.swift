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
    func join(
      _ key: FlightKey, for request: GatewayRequest, isBackground: Bool = false
    ) -> (flight: Flight, isNew: Bool)? {
      while let joined = flights.join(key, isBackground: isBackground) {
        if joined.isNew || serves(joined.flight, request, key) { return joined }
        joined.flight.leave()
        flights.outdate(key, joined.flight)
      }
      return nil
    }

    /// False where something was marked, stored or removed since the origin was asked, by whatever process, or where
    /// the request wants to hear of later times than the answer is of.
    private func serves(
      _ flight: Flight, _ request: GatewayRequest, _ key: FlightKey
    ) -> Bool {
      // What was not asked for yet will be newer than this request.
      guard let asked = flight.request, let address = request.address else { return true }
      let copyKey = CopyKey(address.text)
      // A mark of all variants is one of their prefix.
      var keys = [key.base, key.isOfAddress ? copyKey.prefix : key.key]
      let head = flight.head
      if let head, let answer = head.shareable {
        let age = Duration.milliseconds(store.now().sinceBoot - head.arrival.sinceBoot)
        guard !semantics.wantsFresher(request, than: answer, residentTime: age) else {
          return false
        }
        keys.append(copyKey.key(of: answer, policy))
      }
      do throws(StoreError) {
        return try shelf.collection.isUpToDate(asked, about: keys, tags: head?.tags)
      } catch {
        figures.noteStored(false)
        return false
      }
    }
  }
#endif
