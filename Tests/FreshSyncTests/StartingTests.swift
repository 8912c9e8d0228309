import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

/// Synchronizers that work in the background of an app.
@Suite(.timeLimit(.minutes(1))) struct StartingTests {
  @Test func `a started synchronizer works until it is stopped, and may be started again`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let server = ScriptedServer<String>()
      let notes = try temporary.store.collection("notes", of: String.self)
      let synchronizer = Synchronizer(temporary.store)
      synchronizer.add(notes, from: server)
      for (key, isFirst) in [("1", true), ("2", false)] {
        try await notes.write("mine", for: key)
        #expect(synchronizer.start())
        #expect(!synchronizer.start())
        await synchronizer.settled()
        #expect(server[key] == "mine")

        await synchronizer.stop()
        #expect(synchronizer.status.phase == .stopped)
        #expect(synchronizer.status.failure == nil)
        if isFirst { await synchronizer.stop() }
      }
    }
  }

  @Test func `stopping at once ends what has just been started`() async throws {
    try await TemporaryStore.run { temporary in
      let synchronizer = Synchronizer(temporary.store)
      synchronizer.start()
      await synchronizer.stop()
      let report = try await synchronizer.drain()
      #expect(report.pushed == 0)
    }
  }

  @Test func `stopping waits for work under way`() async throws {
    try await TemporaryStore.run { temporary in
      let server = ScriptedServer<String>()
      let notes = try temporary.store.collection("notes", of: String.self)
      let synchronizer = Synchronizer(temporary.store)
      synchronizer.add(notes, from: server)
      try await notes.write("mine", for: "1")
      server.hold()
      synchronizer.start()
      await server.pushes(atLeast: 1)
      async let stopped: Void = synchronizer.stop()
      for await status in synchronizer.statuses where status.phase == .stopping { break }
      server.release()
      await stopped

      #expect(try temporary.store.outbox().isEmpty)
      #expect(synchronizer.status.report.pushed == 1)
    }
  }

  @Test func `a started run that ends by itself says why`() async throws {
    let temporary = try TemporaryStore()
    let notes = try temporary.store.collection("notes", of: String.self)
    let synchronizer = Synchronizer(temporary.store)
    synchronizer.add(notes, from: ScriptedServer<String>(), following: "all")
    synchronizer.start()
    await synchronizer.settled()
    try await temporary.store.close()
    for await status in synchronizer.statuses {
      if status.phase == .stopped, status.failure != nil { break }
    }
    await synchronizer.stop()
    #expect(synchronizer.status.failure?.contains("closed") == true)
  }
}
