import Synchronization
import Testing

@testable import FreshGateway

/// Only so many exchanges wait for one slow client, and none of them makes a fast one slow.
@Suite struct SlowClientsTests {
  private let time = ManualTime()

  private func clients(atMost limit: Int, patience: Duration = .seconds(1)) -> SlowClients {
    SlowClients(atMost: limit, patience: patience, pace: 1000) { [time] in time.now }
  }

  private func begin(
    _ pace: ClientPace, for client: String = "a", having count: Int64 = 0
  ) -> Bool {
    pace.begin(for: client, having: { count }, orCutOff: {})
  }

  @Test func `who is waited for too long counts, until its exchange ends`() {
    let clients = clients(atMost: 2)
    let pace = ClientPace(clients, at: "origin")
    #expect(begin(pace))
    time.pass(.milliseconds(999))
    clients.look()
    #expect(clients.count == 0)
    time.pass(.milliseconds(1))
    clients.look()
    #expect(clients.count == 1)
    pace.end(at: 1_000_000)
    #expect(clients.count == 1)
    pace.finish()
    #expect(clients.count == 0)
    #expect(begin(pace))
    #expect(clients.count == 0)
  }

  @Test func `who sends a little now and then is slow all the same`() {
    let clients = clients(atMost: 2)
    let pace = ClientPace(clients, at: "origin")
    for second in 1...3 {
      #expect(clients.count == 0)
      #expect(begin(pace, having: Int64(second) - 1))
      time.pass(.milliseconds(500))
      pace.end(at: Int64(second))
    }
    #expect(begin(pace, having: 3))
    #expect(clients.count == 1)
  }

  @Test func `who is fast never is, however often it is waited for`() {
    let clients = clients(atMost: 1)
    let pace = ClientPace(clients, at: "origin")
    for second in 1...100 {
      #expect(begin(pace, having: Int64(second - 1) * 1000))
      time.pass(.milliseconds(900))
      clients.look()
      pace.end(at: Int64(second) * 1000)
    }
    #expect(clients.count == 0)
  }

  @Test func `who is waited for long is not slow for that, as long as it is fast meanwhile`() {
    let clients = clients(atMost: 1)
    let pace = ClientPace(clients, at: "origin")
    let count = Mutex(Int64(0))
    let mayWait = pace.begin(for: "a", having: { count.withLock { $0 } }, orCutOff: {})
    #expect(mayWait)
    for _ in 1...20 {
      time.pass(.milliseconds(500))
      count.withLock { $0 += 1000 }
      clients.look()
    }
    #expect(clients.count == 0)
    time.pass(.seconds(1))
    clients.look()
    #expect(clients.count == 1)
  }

  @Test func `who has left what others go on with counts no longer, and leaves them its time`() {
    let clients = clients(atMost: 1)
    let pace = ClientPace(clients, at: "origin")
    #expect(begin(pace, having: 5000))
    time.pass(.seconds(1))
    clients.look()
    #expect(clients.count == 1)
    pace.leave("b")
    #expect(clients.count == 1)
    pace.leave("a")
    #expect(clients.count == 0)
    // It has come less far, and counts from there.
    #expect(begin(pace, for: "b", having: 1000))
    time.pass(.milliseconds(900))
    clients.look()
    pace.end(at: 2000)
    #expect(begin(pace, for: "b", having: 2000))
    time.pass(.milliseconds(900))
    clients.look()
    #expect(clients.count == 0)
    time.pass(.milliseconds(100))
    clients.look()
    #expect(clients.count == 1)
    #expect(clients.isFull(SlowClients.Place(client: "b", origin: "origin")))
    // Where it is another that is waited for, only that counts.
    #expect(begin(pace, for: "a", having: 2000))
    #expect(clients.count == 0)
  }

  @Test func `one exchange too many is cut off, at once where that is known before`() {
    let clients = clients(atMost: 1)
    let cut = Flag()
    let (first, second, third) = (
      ClientPace(clients, at: "origin"), ClientPace(clients, at: "origin"),
      ClientPace(clients, at: "origin")
    )
    #expect(begin(first))
    time.pass(.milliseconds(500))
    let mayWait = second.begin(for: "a", having: { 0 }, orCutOff: { cut.raise() })
    #expect(mayWait)
    time.pass(.milliseconds(500))
    clients.look()
    #expect(!cut.isRaised)
    #expect(!begin(third))
    time.pass(.milliseconds(500))
    clients.look()
    #expect(cut.isRaised)
    #expect(clients.count == 1)
    first.finish()
    #expect(begin(third))
  }

  @Test func `other clients, and other origins, are counted by themselves`() {
    let clients = clients(atMost: 1, patience: .zero)
    let paces = ["origin", "origin", "other", "origin"].map { ClientPace(clients, at: $0) }
    #expect(begin(paces[0]))
    #expect(begin(paces[1], for: "b"))
    #expect(begin(paces[2]))
    #expect(!begin(paces[3]))
    #expect(clients.count == 3)
  }

  @Test func `an exchange that is forgotten holds no place`() {
    let clients = clients(atMost: 1, patience: .zero)
    #expect(begin(ClientPace(clients, at: "origin")))
    #expect(clients.count == 0)
  }

  private final class Flag: Sendable {
    private let raised = Mutex(false)

    var isRaised: Bool { raised.withLock { $0 } }

    func raise() { raised.withLock { $0 = true } }
  }
}
