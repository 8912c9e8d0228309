#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import NIOCore
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// Requests join a flight, wait for it, and end it when the last one leaves.
  @Suite(.timeLimit(.minutes(1))) struct FlightTests {
    /// The key of an address; of a variant of it where a language is named.
    private func key(_ language: String? = nil) throws -> FlightKey {
      let asked = try request(language.map { "Accept-Language: \($0)" } ?? "")
      return FlightKey(
        CopyKey("http://origin.example/page"), asked,
        selectedBy: language == nil ? [] : ["accept-language"])
    }

    @Test func `who wants the same variant joins, and no other`() throws {
      let flights = Flights()
      #expect(try key("de") == key("DE"))
      #expect(try key("de").key.hasPrefix("http://origin.example/page#"))
      for (language, isNew) in [("de", true), ("en", true), ("de", false), ("en", false)] {
        #expect(try flights.join(key(language))?.isNew == isNew)
      }
      #expect(try flights.join(key())?.isNew == true)
      #expect(flights.count == 3)
    }

    @Test func `what is for one alone says nothing of other variants`() throws {
      let flights = Flights(memory: .seconds(1000))
      let first = try #require(try flights.join(key("de")))
      flights.close(try key("de"), first.flight, isShared: false)
      #expect(try flights.join(key("de")) == nil)
      #expect(try flights.join(key("en"))?.isNew == true)
    }

    @Test func `what is for one user says nothing of what all others are told`() throws {
      let flights = Flights(memory: .seconds(1000))
      let asked = try request("Cookie: a=b")
      let own = FlightKey(CopyKey("http://origin.example/page"), asked, selectedBy: [])
      let first = try #require(flights.join(own))
      flights.close(own, first.flight, isShared: false)
      #expect(flights.join(own) == nil)
      let second = try #require(try flights.join(key()))
      #expect(second.isNew)
      #expect(flights.join(own)?.isNew == false)
      flights.close(try key(), second.flight, isShared: false)
      #expect(try flights.join(key()) == nil)
      flights.share(own)
      #expect(flights.join(own)?.isNew == true)
    }

    @Test func `an unsafe request outdates what is under way for all variants`() throws {
      let flights = Flights()
      for language in ["de", "en", nil] { #expect(try flights.join(key(language)) != nil) }
      flights.outdate(CopyKey("http://origin.example/page"))
      #expect(flights.count == 0)
      #expect(try flights.join(key("de"))?.isNew == true)
    }

    @Test func `what was outdated is known until it has ended`() throws {
      let flights = Flights()
      let first = try #require(try flights.join(key()))
      let other = try #require(try flights.join(key("de")))
      flights.close(try key("de"), other.flight)
      #expect(try !flights.hasOutdated(key()))
      flights.outdateAll()
      #expect(try flights.hasOutdated(key()))
      // A flight that had ended before is not outdated.
      #expect(try !flights.hasOutdated(key("de")))
      let second = try #require(try flights.join(key()))
      flights.outdate(CopyKey("http://origin.example/page"))
      flights.close(try key(), first.flight)
      #expect(try flights.hasOutdated(key()))
      flights.close(try key(), second.flight)
      #expect(try !flights.hasOutdated(key()))
    }

    @Test func `whoever comes to a request that was given up makes another`() throws {
      let flights = Flights()
      let first = try #require(try flights.join(key()))
      let second = try #require(try flights.join(key()))
      #expect(first.isNew && !second.isNew)
      first.flight.leave(asSender: true)
      #expect(try flights.join(key())?.isNew == false)
      second.flight.leave()
      second.flight.leave()
      #expect(try flights.join(key())?.isNew == true)
      // The one that was given up ends later, and ends nothing of the other.
      flights.close(try key(), first.flight)
      #expect(try flights.join(key())?.isNew == false)
    }

    @Test func `a request that nobody has sent is never given up`() throws {
      let flights = Flights()
      let first = try #require(try flights.join(key(), isBackground: true))
      first.flight.leave()
      #expect(try flights.join(key())?.isNew == false)
    }

    @Test func `those who have waited for a flight that has failed share the next, however late`()
      throws
    {
      let flights = Flights()
      let failed = try #require(try flights.join(key()))
      flights.close(try key(), failed.flight)
      let next = try #require(try flights.join(key(), after: failed.flight))
      #expect(next.isNew)
      // A new request joins the flight, too.
      #expect(try flights.join(key())?.isNew == false)
      flights.close(try key(), next.flight)
      let late = try #require(try flights.join(key(), after: failed.flight))
      #expect(late.flight === next.flight && !late.isNew)
      #expect(try flights.join(key())?.isNew == true)
    }

    @Test func `the next flight after one that has failed may have begun already`() throws {
      let flights = Flights()
      let failed = try #require(try flights.join(key()))
      flights.close(try key(), failed.flight)
      let next = try #require(try flights.join(key()))
      let joined = try #require(try flights.join(key(), after: failed.flight))
      #expect(joined.flight === next.flight && !joined.isNew)
    }

    @Test func `a flight that was closed comes back where no other is in its place`() throws {
      let flights = Flights()
      let first = try #require(try flights.join(key()))
      flights.close(try key(), first.flight)
      let second = try #require(try flights.join(key()))
      #expect(second.isNew)
      #expect(try !flights.restore(key(), first.flight))
      flights.close(try key(), second.flight)
      #expect(try flights.restore(key(), first.flight))
      #expect(try flights.join(key())?.flight === first.flight)
    }

    @Test func `a mark of a group outdates what is of it, or may be`() throws {
      let flights = Flights()
      let known = try #require(try flights.join(key("en")))
      known.flight.announce(.head(try head(SharedBody(keeping: 100, StorageQuota(limit: 100)))))
      #expect(try flights.join(key("de")) != nil)
      flights.outdate(tags: [])
      #expect(flights.count == 2)
      flights.outdate(tags: ["http://origin.example:80 news"])
      #expect(try flights.join(key("en"))?.isNew == false)
      #expect(try flights.hasOutdated(key("de")))
      #expect(try flights.join(key("de"))?.isNew == true)
    }

    @Test func `an answer for all ends the time in which each goes alone`() throws {
      let flights = Flights(memory: .seconds(1000))
      let first = try #require(try flights.join(key()))
      flights.close(try key(), first.flight, isShared: false)
      #expect(try flights.join(key()) == nil)
      flights.share(try key())
      #expect(try flights.join(key())?.isNew == true)
    }

    @Test func `whoever was there before an answer has waited for it`() throws {
      let flights = Flights()
      let before = flights.nextMoment()
      let flight = try #require(try flights.join(key())).flight
      #expect(flight.isAnswered(after: before))
      flight.answer(at: flights.nextMoment())
      let later = flights.nextMoment()
      #expect(flight.isAnswered(after: before) && !flight.isAnswered(after: later))
    }

    private func head(_ body: SharedBody, reader: Int? = nil) throws -> Flight.Head {
      Flight.Head(
        plan: .passing(try request(), .bypass), copies: [], outcome: .answered(answer()),
        conclusion: Conclusion(reply: .origin(status: 200, fields: [:], sendsContent: true)),
        body: body, reader: reader, arrival: ManualClock().reading())
    }

    @Test func `what may change something goes on without its client, and no number of them do`() {
      let places = StorageQuota(limit: 1)
      func departed() -> Flight {
        let flight = Flight(isBackground: false)
        #expect(flight.enter())
        flight.leave(asSender: true, goingOnWithin: places)
        return flight
      }
      do {
        let (first, second) = (departed(), departed())
        #expect(first.enter())
        #expect(!second.enter())
      }
      #expect(departed().enter())
    }

    @Test func `content that is neither kept nor read ends its request`() async throws {
      let flight = Flight(isBackground: false)
      #expect(flight.enter())
      let ended = Gate()
      flight.run {
        // Returns when the task is cancelled.
        await Gate().wait()
        ended.open()
      }
      let body = SharedBody(keeping: nil, StorageQuota(limit: 100))
      let reader = try #require(body.join())
      flight.announce(.head(try head(body, reader: reader)))
      flight.leave(asSender: true)
      await ended.wait()
      #expect(ended.isOpen)
      #expect(await !body.append(ByteBuffer(string: "more")))
    }

    @Test func `content that is kept goes on without a reader`() async throws {
      let flight = Flight(isBackground: false)
      #expect(flight.enter())
      let body = SharedBody(keeping: 100, StorageQuota(limit: 100))
      flight.announce(.head(try head(body, reader: body.join())))
      flight.leave(asSender: true)
      #expect(await body.append(ByteBuffer(string: "more")))
      #expect(body.whole != nil)
    }

    @Test func `whoever has left before the answer holds up nothing of it`() async throws {
      let flight = Flight(isBackground: false)
      #expect(flight.enter() && flight.enter())
      flight.leave(asSender: true)
      let body = SharedBody(keeping: nil, StorageQuota(limit: 100))
      flight.announce(.head(try head(body, reader: body.join())))
      flight.leave()
      #expect(await !body.append(ByteBuffer(string: "more")))
    }
  }
#endif
