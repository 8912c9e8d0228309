import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

/// An app as its own tests would tell its life: notes on a phone and a laptop, one server, a network that
/// comes and goes, and a clock that the test moves.
@Suite(.timeLimit(.minutes(2))) struct AppLifeTests {
  struct Note: Codable, Hashable {
    var lines: [String]

    init(_ lines: String...) { self.lines = lines }
  }

  /// A store, the notes in it, and what keeps them in step with the server.
  struct Device {
    let temporary: TemporaryStore
    let notes: RecordCollection<Note>
    let synchronizer: Synchronizer

    init(_ temporary: TemporaryStore, _ server: ScriptedServer<Note>, _ policy: Policy) throws {
      self.temporary = temporary
      notes = try temporary.store.collection("notes", of: Note.self, policy: policy)
      synchronizer = Synchronizer(temporary.store)
      synchronizer.add(
        notes, from: server, following: "all", conflicts: .merge { Self.merged($0) })
    }

    /// Keeps the lines of both sides; a note that one side has deleted stays with the other's.
    private static func merged(_ conflict: Conflict<Note>) -> Resolution<Note> {
      guard let local = conflict.local, var both = conflict.remote else {
        return conflict.local.map(Resolution.merged) ?? .remote
      }
      both.lines += local.lines.filter { !both.lines.contains($0) }
      return .merged(both)
    }

    var clock: ManualClock { temporary.clock }
    var network: ScriptedReachability { temporary.reachability }
    var outbox: [OutboxEntry] { get throws { try temporary.store.outbox() } }

    func note(_ key: String) throws -> Note? { try notes.read(key).copy?.value }

    /// Lets the time pass and the synchronizer do what it brings.
    func wait(_ duration: Duration) async {
      clock.advance(by: duration)
      await synchronizer.settled()
    }

    /// Reconnects, and lets the network settle.
    func reconnect() async {
      network.set(.online)
      await synchronizer.settled()
      await wait(synchronizer.options.settle)
    }
  }

  /// How old a list, or a note, may become here.
  private static let expiry = Duration.seconds(60)

  /// Runs a phone and a laptop beside a test, once both have what the server holds.
  private func withDevices(
    _ server: ScriptedServer<Note>,
    policy: Policy = .offlineFirst.expiring(AppLifeTests.expiry),
    test: (_ phone: Device, _ laptop: Device) async throws -> Void
  ) async throws {
    let clock = ManualClock()
    try await TemporaryStore.run(clock: clock, configure: { $0.random = { 0.5 } }) { one in
      try await TemporaryStore.run(clock: clock, configure: { $0.random = { 0.5 } }) { two in
        let phone = try Device(one, server, policy)
        let laptop = try Device(two, server, policy)
        async let first: Void = phone.synchronizer.run()
        async let second: Void = laptop.synchronizer.run()
        await phone.synchronizer.settled()
        await laptop.synchronizer.settled()
        try await test(phone, laptop)
        phone.synchronizer.requestStop()
        laptop.synchronizer.requestStop()
        try await first
        try await second
      }
    }
  }

  // MARK: Two devices

  @Test func `a note that is written on one device appears on the other`() async throws {
    let server = ScriptedServer(["1": Note("milk")], isConditional: true)
    try await withDevices(server) { (phone, laptop) async throws in
      #expect(try laptop.note("1") == Note("milk"))

      try await phone.notes.write(Note("bread"), for: "2")
      await phone.synchronizer.settled()
      #expect(server["2"] == Note("bread"))
      #expect(try laptop.note("2") == nil)

      await laptop.wait(Self.expiry)
      #expect(try laptop.note("2") == Note("bread"))
    }
  }

  @Test func `a note that is deleted on one device leaves the other`() async throws {
    let server = ScriptedServer(["1": Note("milk"), "2": Note("bread")], isConditional: true)
    try await withDevices(server) { (phone, laptop) async throws in
      try await laptop.notes.writeDeletion(of: "1")
      await laptop.synchronizer.settled()
      #expect(server.keys == ["2"])
      #expect(try phone.note("1") == Note("milk"))

      await phone.wait(Self.expiry)
      #expect(try phone.note("1") == nil)
      #expect(try phone.note("2") == Note("bread"))
    }
  }

  @Test func `what two devices write to a note while one is offline is merged`() async throws {
    let server = ScriptedServer(["1": Note("milk")], isConditional: true)
    try await withDevices(server) { (phone, laptop) async throws in
      phone.network.set(.offline("in a tunnel"))
      try await phone.notes.write(Note("milk", "eggs"), for: "1")
      try await laptop.notes.write(Note("milk", "bread"), for: "1")
      await laptop.synchronizer.settled()
      #expect(server["1"] == Note("milk", "bread"))

      await phone.reconnect()
      #expect(server["1"] == Note("milk", "bread", "eggs"))
      #expect(try phone.note("1") == Note("milk", "bread", "eggs"))
      // The laptop's write, the phone's, which met the conflict, and the merged one.
      #expect(server.pushes.count == 3)
      #expect(Set(server.pushes.map(\.idempotencyKey)).count == 3)

      await laptop.wait(Self.expiry)
      #expect(try laptop.note("1") == Note("milk", "bread", "eggs"))
    }
  }

  @Test func `both devices agree whoever was away, whatever was lost`() async throws {
    let server = ScriptedServer(["1": Note("milk")], isConditional: true)
    try await withDevices(server) { (phone, laptop) async throws in
      for (number, device) in [phone, laptop, phone, laptop].enumerated() {
        server.answerPushes(with: .lost(), .served, .failure())
        device.network.set(.offline("away"))
        var note = try #require(try device.note("1"))
        note.lines.append("line \(number)")
        try await device.notes.write(note, for: "1")
        await phone.wait(Self.expiry)
        await laptop.wait(Self.expiry)
        await device.reconnect()
      }
      // Every attempt that failed has its pause behind it, and each list was followed once more.
      for _ in 0..<20 {
        await phone.wait(Self.expiry)
        await laptop.wait(Self.expiry)
      }

      let note = try #require(server["1"])
      #expect(Set(note.lines) == ["milk", "line 0", "line 1", "line 2", "line 3"])
      for device in [phone, laptop] {
        #expect(try device.note("1") == note)
        #expect(try device.outbox.isEmpty)
      }
    }
  }

  // MARK: The network

  @Test func `an app that is offline reads and writes, and sends once the network has settled`()
    async throws
  {
    let server = ScriptedServer(["1": Note("milk")])
    try await withDevices(server) { (phone, _) async throws in
      phone.network.set(.offline("in a tunnel"))
      try await phone.notes.write(Note("milk", "eggs"), for: "1")
      let offline = await phone.synchronizer.settled()
      #expect(offline.phase == .offline(because: "in a tunnel"))
      #expect(try phone.note("1") == Note("milk", "eggs"))

      phone.network.set(.online)
      await phone.synchronizer.settled()
      #expect(server.pushes.isEmpty)
      await phone.wait(phone.synchronizer.options.settle)
      #expect(server["1"] == Note("milk", "eggs"))
      #expect(try phone.outbox.isEmpty)
    }
  }

  @Test
  func `a server that is down is left alone longer and longer, and gets everything in the end`()
    async throws
  {
    let server = ScriptedServer(["1": Note("milk")])
    let policy = Policy.offlineFirst.expiring(Self.expiry).origin("notes")
    try await withDevices(server, policy: policy) { (phone, _) async throws in
      server.goDown()
      try await phone.notes.write(Note("milk", "eggs"), for: "1")
      await phone.synchronizer.settled()
      for _ in 0..<60 { await phone.wait(.seconds(1)) }
      #expect((2...12).contains(server.pushes.count))
      #expect(try phone.outbox.map(\.state) == [.waiting])

      server.comeBack()
      await phone.wait(.minutes(10))
      #expect(server["1"] == Note("milk", "eggs"))
      #expect(try phone.outbox.isEmpty)
    }
  }

  // MARK: Single answers

  @Test func `a write whose answer is lost is sent again, and applied once`() async throws {
    let server = ScriptedServer(["1": Note("milk")], isConditional: true)
    try await withDevices(server) { (phone, _) async throws in
      server.answerPushes(with: .lost())
      try await phone.notes.write(Note("milk", "eggs"), for: "1")
      await phone.synchronizer.settled()
      #expect(server["1"] == Note("milk", "eggs"))
      #expect(try phone.outbox.map(\.attempts) == [1])

      // Somebody else's change in between stays: the repeated write is not applied again.
      server["1"] = Note("nothing")
      await phone.wait(.seconds(1))
      #expect(Set(server.pushes.map(\.idempotencyKey)).count == 1 && server.pushes.count == 2)
      #expect(try phone.outbox.isEmpty)
      #expect(server["1"] == Note("nothing"))
    }
  }

  @Test func `a refused write is parked, delays no other, and is dropped on request`() async throws
  {
    let server = ScriptedServer(["1": Note("milk")], isConditional: true)
    try await withDevices(server) { (phone, _) async throws in
      server.answerPushes(of: "1", with: .answer(.refused("too long")))
      try await phone.notes.write(Note("milk", "eggs", "and so on"), for: "1")
      try await phone.notes.write(Note("bread"), for: "2")
      let status = await phone.synchronizer.settled()
      #expect(status.report.parked == 1 && status.report.pushed == 1)
      #expect(server.keys == ["1", "2"])

      let parked = try #require(try phone.outbox.first)
      #expect(parked.state == .parked && parked.failure?.contains("too long") == true)
      #expect(try phone.note("1")?.lines.count == 3)

      try await phone.temporary.store.drop([parked.id])
      await phone.synchronizer.settled()
      #expect(try phone.note("1") == Note("milk"))
      #expect(try phone.outbox.isEmpty)
    }
  }

  @Test func `a parked write is sent when it is retried`() async throws {
    let server = ScriptedServer<Note>()
    try await withDevices(server) { (phone, _) async throws in
      server.answerPushes(with: .answer(.refused("no room")))
      try await phone.notes.write(Note("milk"), for: "1")
      await phone.synchronizer.settled()
      await phone.wait(.hours(1))
      #expect(server.keys.isEmpty && server.pushes.count == 1)

      try await phone.temporary.store.retry(phone.outbox.map(\.id))
      await phone.synchronizer.settled()
      #expect(server["1"] == Note("milk"))
    }
  }

  @Test func `a write that hangs ends at the hard timeout, and may arrive later all the same`()
    async throws
  {
    let server = ScriptedServer(["1": Note("milk")], isConditional: true)
    try await withDevices(server) { (phone, _) async throws in
      server.answerPushes(with: .held)
      try await phone.notes.write(Note("milk", "eggs"), for: "1")
      await server.pushes(atLeast: 1)
      await phone.wait(.seconds(30))
      #expect(try phone.outbox.first?.failure?.contains("took longer") == true)

      server.release()
      await phone.wait(.minutes(10))
      #expect(server["1"] == Note("milk", "eggs"))
      #expect(Set(server.pushes.map(\.idempotencyKey)).count == 1)
      #expect(try phone.outbox.isEmpty)
    }
  }

  @Test func `a server may change what it accepts`() async throws {
    let server = ScriptedServer<Note>()
    try await withDevices(server) { (phone, _) async throws in
      server.answerPushes(with: .answer(.acceptedAs(Note("MILK"), FetchDetails())))
      try await phone.notes.write(Note("milk"), for: "1")
      await phone.synchronizer.settled()

      #expect(try phone.note("1") == Note("MILK"))
      #expect(server["1"] == Note("MILK"))
    }
  }

  // MARK: Lists

  @Test func `a list that hangs ends at the hard timeout, and is asked for again`() async throws {
    let server = ScriptedServer(["1": Note("milk")])
    try await withDevices(server) { (phone, laptop) async throws in
      phone.network.set(.offline("only the laptop counts"))
      let before = server.lists.count
      server.answerLists(with: .held)
      server["2"] = Note("bread")
      laptop.clock.advance(by: Self.expiry)
      await server.lists(atLeast: before + 1)
      await laptop.wait(.seconds(30))
      #expect(laptop.synchronizer.status.report.failed == 1)
      #expect(try laptop.note("2") == nil)

      await laptop.wait(.minutes(10))
      #expect(try laptop.note("2") == Note("bread"))
      server.release()
    }
  }

  @Test func `a list whose cursor has expired is told in full`() async throws {
    let server = ScriptedServer(["1": Note("milk"), "2": Note("bread")])
    try await withDevices(server) { (phone, laptop) async throws in
      phone.network.set(.offline("only the laptop counts"))
      let before = server.lists.count
      server["1"] = nil
      server.expireCursors()
      await laptop.wait(Self.expiry)

      #expect(server.lists.dropFirst(before).map { $0.cursor == nil } == [false, true])
      #expect(try laptop.note("1") == nil)
      #expect(try laptop.note("2") == Note("bread"))
    }
  }

  @Test func `the members that a list only names are fetched one by one`() async throws {
    let server = ScriptedServer(["1": Note("milk"), "2": Note("bread")], listsValues: false)
    try await withDevices(server) { (phone, _) async throws in
      #expect(Set(server.fetches.map(\.key)) == ["1", "2"])
      #expect(try phone.note("1") == Note("milk"))
      #expect(try phone.note("2") == Note("bread"))

      server["1"] = Note("oat milk")
      await phone.wait(Self.expiry)
      #expect(try phone.note("1") == Note("oat milk"))
    }
  }
}
