import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Testing

#if HTTP
  import FreshHTTP
#endif

/// How an app is tested.
@Suite(.timeLimit(.minutes(1))) struct AppTestSnippets {
  @Test func `an app that is offline for a while`() async throws {
    try await Stage.run("app: life") {
      // begin: app: life
      try await TemporaryStore.run { phone in
        let server = ScriptedServer(["1": "milk"], isConditional: true)
        let notes = try phone.store.collection("notes", of: String.self, policy: .offlineFirst)
        let synchronizer = Synchronizer(phone.store)
        synchronizer.add(notes, from: server, following: "all", conflicts: .clientWins)
        synchronizer.start()

        await synchronizer.settled()
        print(try notes.read("1").copy?.value ?? "nothing")  // milk

        phone.reachability.set(.offline("in a tunnel"))
        try await notes.write("milk and bread", for: "1")
        print(await synchronizer.settled().phase)  // offline(because: "in a tunnel")
        print(server["1"] ?? "nothing")  // milk

        phone.reachability.set(.online)
        await synchronizer.settled()
        phone.clock.advance(by: synchronizer.options.settle)
        await synchronizer.settled()
        print(server["1"] ?? "nothing")  // milk and bread

        await synchronizer.stop()
      }
      // end
    }
  }

  @Test func `what a server can be made to do`() async throws {
    try await Stage.run("app: script") {
      // begin: app: script
      let server = ScriptedServer(["1": "milk"], isConditional: true)
      let write = PendingWrite(key: "1", kind: .replace, value: "bread", idempotencyKey: "a")

      server.answerPushes(with: .lost())  // the write is taken, and its answer never arrives
      server.answerPushes(of: "2", with: .answer(.refused("it is too long")), .held)
      do {
        _ = try await server.push(write)
      } catch {
        print(error)  // the connection broke
      }
      print(server["1"] ?? "nothing")  // bread

      server["1"] = "eggs"  // by somebody else
      _ = try await server.push(write)  // the same idempotency key: nothing is applied again
      print(server["1"] ?? "nothing", server.pushes.map(\.idempotencyKey))  // eggs ["a", "a"]

      server.expireCursors()  // the next list is asked for in full
      server.goDown()  // nothing is answered until comeBack()
      // end
    }
  }

  #if HTTP
    @Test func `a server behind an address`() async throws {
      try await Stage.run("app: route") {
        // begin: app: route
        let server = ScriptedServer(["1": "milk"], isConditional: true)
        let base = "https://example.org/notes"
        let routes = [server.route(at: base)]
        let web = try HTTPSource { request in
          guard request.headers["Authorization"] == nil else { return HTTPSource.Response(401) }
          return try await routes.response(to: request)
        }
        let notes = try HTTPRecordSource(web, at: base, of: String.self)
        guard case .value(let note, let details) = try await notes.fetch(Previous(key: "1")) else {
          return
        }
        print(note, details.validators.entityTag ?? "")  // milk "1"
        // end
      }
    }

    @Test func `a source without a network`() async throws {
      try await Stage.run("app: http") {
        // begin: app: http
        try await TemporaryStore.run { temporary in
          let web = try HTTPSource(HTTPConfiguration(clock: temporary.clock)) { request in
            guard request.headers["If-None-Match"] != "\"1\"" else {
              return HTTPSource.Response(304)
            }
            return HTTPSource.Response(
              200, headers: ["ETag": "\"1\"", "Cache-Control": "max-age=60"], text: "news")
          }
          let pages = try temporary.store.bytes("pages", policy: .cacheFirst.from(web))
          func get(_ url: String) async throws -> Answer<[UInt8]> {
            try await pages.get(url) { try await web.fetch(url, previous: $0) }
          }

          print(try await get("https://example.org/").freshness)  // fetched
          temporary.clock.advance(by: .seconds(59))
          print(try await get("https://example.org/").freshness)  // fresh
          temporary.clock.advance(by: .seconds(1))
          print(try await get("https://example.org/").freshness)  // revalidated
        }
        // end
      }
    }
  #endif
}
