#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import NIOCore
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// Who asks, who waits, and what ends when nobody does any longer.
  @Suite(.timeLimit(.minutes(1))) struct FlightTests {
    @Test func `whoever comes to a request that was given up makes another`() throws {
      let flights = Flights()
      let first = try #require(flights.join("a"))
      let second = try #require(flights.join("a"))
      #expect(first.isNew && !second.isNew)
      first.flight.leave(asSender: true)
      #expect(flights.join("a")?.isNew == false)
      second.flight.leave()
      second.flight.leave()
      #expect(flights.join("a")?.isNew == true)
      // The one that was given up ends later, and ends nothing of the other.
      flights.close("a", first.flight)
      #expect(flights.join("a")?.isNew == false)
    }

    @Test func `a request that nobody has sent is never given up`() throws {
      let flights = Flights()
      let first = try #require(flights.join("a", isBackground: true))
      first.flight.leave()
      #expect(flights.join("a")?.isNew == false)
    }

    @Test func `an answer for all ends the time in which each goes alone`() throws {
      let flights = Flights(memory: .seconds(1000))
      let first = try #require(flights.join("a"))
      flights.close("a", first.flight, isShared: false)
      #expect(flights.join("a") == nil)
      flights.share("a")
      #expect(flights.join("a")?.isNew == true)
    }

    private func head(_ body: SharedBody, reader: Int? = nil) throws -> Flight.Head {
      Flight.Head(
        plan: .passing(try request(), .bypass), copies: [], outcome: .answered(answer()),
        conclusion: Conclusion(reply: .origin(status: 200, fields: [:], sendsContent: true)),
        body: body, reader: reader, arrival: ManualClock().reading())
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
      let body = SharedBody(keeping: nil, StorageBudget(limit: 100))
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
      let body = SharedBody(keeping: 100, StorageBudget(limit: 100))
      flight.announce(.head(try head(body, reader: body.join())))
      flight.leave(asSender: true)
      #expect(await body.append(ByteBuffer(string: "more")))
      #expect(body.whole != nil)
    }

    @Test func `whoever has left before the answer holds up nothing of it`() async throws {
      let flight = Flight(isBackground: false)
      #expect(flight.enter() && flight.enter())
      flight.leave(asSender: true)
      let body = SharedBody(keeping: nil, StorageBudget(limit: 100))
      flight.announce(.head(try head(body, reader: body.join())))
      flight.leave()
      #expect(await !body.append(ByteBuffer(string: "more")))
    }
  }
#endif
