import FreshStore
import FreshStoreTesting
import FreshSync
import Reachability
import Rules
import Strategies
import Testing

@Suite struct ModuleSnippets {
  @Test func `a chain on objects of one's own`() async throws {
    try await Stage.run("chain: own", "chain: combined") {
      // begin: chain: own
      struct Forecast: Timestamped {
        var text: String
        var lastUpdate: Timestamp?
        var expiry = Expiry.after(.hours(1))
        var isStorm = false
      }

      /// A storm warning is valid for ten minutes at most, whatever its expiry says.
      struct StormRule: Strategy {
        let name = "storm"

        func judge(_ forecast: Forecast, in context: JudgementContext) -> Opinion {
          guard forecast.isStorm, let lastUpdate = forecast.lastUpdate else {
            return .unknown(.custom("no storm"))
          }
          let age = context.now.duration(since: lastUpdate)
          return age < .minutes(10) ? .unknown(.custom("it is new")) : .invalid(.custom("it moves"))
        }
      }

      let chain: Chain<Forecast> = [StormRule(), .timestamp(), .default()]
      let now = Timestamp.now
      let earlier = now.advanced(by: .minutes(-30))
      let morning = Forecast(text: "sun", lastUpdate: earlier)
      let storm = Forecast(text: "storm", lastUpdate: earlier, isStorm: true)

      print(chain.judge(morning, in: JudgementContext(now: now)).verdict)  // valid
      print(chain.judge(storm, in: JudgementContext(now: now)).verdict)  // invalid
      print(chain.judge(storm, in: JudgementContext(now: now)).decidedBy ?? "nobody")  // storm
      // end

      // begin: chain: combined
      let cautious: Chain<Forecast> = [
        .any(.maxAge(.minutes(1)), .not(.timestamp())),
        .chain([.asking("weekday") { _, context in .unknown(.custom("\(context.now)")) }]),
        .default(),
      ]
      print(cautious.judge(morning, in: JudgementContext(now: now)).verdict)  // invalid
      // end
    }
  }

  // begin: reachability: follow
  func follow(_ path: String) async throws {
    let monitor: RouteMonitor = .monitor(host: "api.example.org")
    let store = try Store(path: path, configuration: Configuration(reachability: monitor))
    for await state in monitor.changes() {
      print(state.code)  // offline at once, online once it has settled
    }
    try await store.close()
  }
  // end

  @Test func `a way that is assumed`() async throws {
    try await Stage.run("reachability: assume") {
      // begin: reachability: assume
      let policy = Policy.offlineFirst.reachability(.assume(.online))
      print(policy.reachability == .assume(.online))  // true
      // end
    }
  }

  @Test func `admission`() async throws {
    try await Stage.run("admission: rule", "admission: collection", "admission: messages") {
      let store = try Store(path: file("store.db"))
      // begin: admission: rule
      struct Article: Codable {
        var title: String
        var subtitle: String?
        var begins: Int?
        var ends: Int?
      }

      let rule: Rule<Article> = .all(
        .field(\.title, "title", .notBlank && .length(max: 120)),
        .field(\.subtitle, "subtitle", .notBlank),
        .fields(\.begins, "begins", .less, \.ends, "ends"))

      print(rule.check(Article(title: " ")))  // title: must not be blank (blank)
      // end

      // begin: admission: collection
      let articles = try store.collection("articles", of: Article.self, admitting: rule)
      do throws(StoreError) {
        try await articles.put(Article(title: " "), for: "1")
      } catch {
        print(error.code == .refused(rule.check(Article(title: " "))))  // true
      }
      // end

      // begin: admission: messages
      let short = Rule<String>.length(max: 3).showingValue
        .message("{value} has more than {max} letters")
      print(short.check("Ghent").issues[0].message)  // Ghent has more than 3 letters
      // end
      try await store.close()
    }
  }

  @Test func `properties with rules`() async throws {
    try await Stage.run("admission: properties") {
      // begin: admission: properties
      struct Order {
        @Must(.atLeast(0)) var amount: Int
        @Should(.notBlank) var note: String?

        init(amount: Int) { self.amount = amount }
      }

      var order = Order(amount: 3)
      order.amount = -1
      print(order.amount, order.$amount.rejected?.value ?? 0)  // 3 -1
      // end
    }
  }

  @Test func `rules as data`() throws {
    let text = #"{"scenarios": {"create": ["title"]}, "fields": {"title": {"required": true}}}"#
    let bytes = Array(text.utf8)
    let document = try JSONValue(parsing: #"{"title": "Water"}"#)
    // begin: rules as data
    let schema = try DocumentSchema(parsing: bytes)
    let report = schema.check(document, in: "create")
    let rule: Rule<[UInt8]> = schema.bytesRule()  // parses, then checks
    // end
    #expect(report.issues.isEmpty)
    #expect(!rule.check(Array("{}".utf8)).issues.isEmpty)
  }

  @Test func `offline first`() async throws {
    let server = NotesServer()
    try await Stage.run("offline: write", "offline: push", "offline: screen") {
      let store = try Store(
        path: file("store.db"), configuration: Configuration(reachability: .fixed(.online)))
      // begin: offline: write
      struct Note: Codable {
        var text: String
      }

      let notes = try store.collection("notes", of: Note.self, policy: .offlineFirst)
      try await notes.write(Note(text: "Buy milk"), for: "7")
      print(try notes.read("7").copy?.value.text ?? "nothing")  // Buy milk
      print(try store.outbox().count)  // 1
      // end

      // begin: offline: push
      let synchronizer = Synchronizer(store)
      synchronizer.add(notes, conflicts: .clientWins) { previous in
        .value(try await server.read(previous.key))
      } push: { write in
        try await server.accept(write)
        return .accepted
      }
      let report = try await synchronizer.drain()
      print(report.pushed, try store.outbox().count)  // 1 0
      // end

      // begin: offline: screen
      try await notes.write(Note(text: "Buy bread"), for: "8")
      for await shown in notes.observeValues() {
        let lines = shown.records.map { note in
          "\(note.value?.text ?? "…") (\(note.waiting?.state.rawValue ?? "sent"))"
        }
        print(lines)  // ["Buy milk (sent)", "Buy bread (waiting)"]
        break  // a screen goes on until its task is cancelled
      }
      // end

      // begin: offline: model
      @MainActor final class NoteScreen {
        var notes: [RecordState<Note>] = []

        func follow(_ collection: RecordCollection<Note>) async {
          for await shown in collection.observeValues() { notes = shown.records }
        }
      }
      // end
      try await store.close()
    }
  }

  /// The synchronizer of a program follows a list.
  func followNotes(
    _ synchronizer: Synchronizer, _ notes: RecordCollection<String>, _ server: NotesServer
  ) {
    // begin: offline: list
    synchronizer.follow("all", of: notes) { previous in
      guard let page = try await server.notes(since: previous.cursor, page: previous.page) else {
        return .expiredCursor
      }
      let members = page.notes.mapValues { ListMember.value($0.text, entityTag: $0.tag) }
      if let next = page.next { return .deltaPage(members, removals: page.removed, next: next) }
      return .delta(members, removals: page.removed, cursor: page.cursor)
    }
    // end
  }

  @Test func `signing out`() async throws {
    try await Stage.run("offline: signing out") {
      let store = try Store(path: file("store.db"))
      try await store.bytes("notes").write([1], for: "7")
      // begin: offline: signing out
      let result = try await store.wipe(removingDamagedFiles: true)
      print(try store.outbox().count, result.damagedFiles)  // 0 []
      try await store.close()
      // end
    }
  }

  @Test func `testing`() async throws {
    try await Stage.run("testing: store") {
      // begin: testing: store
      try await TemporaryStore.run { temporary in
        let articles = try temporary.store.collection("articles", of: String.self)
        let origin = ScriptedOrigin<String> { _ in .value("news") }
        func get() async throws -> Answer<String> {
          try await articles.get("1") { try await origin.fetch($0) }
        }

        print(try await get().freshness)  // fetched
        temporary.clock.advance(by: .minutes(4))
        print(try await get().freshness)  // fresh
        temporary.clock.advance(by: .minutes(2))
        temporary.reachability.set(.offline("unplugged"))
        print(try await get().freshness)  // stale-offline
        print(origin.calls)  // 1
      }
      // end
    }
  }

  @Test func `a clock and the laws`() async throws {
    try await Stage.run("testing: laws") {
      // begin: testing: clock
      let clock = ManualClock()
      let waiting = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(30))) }
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(30))
      try await waiting.value
      // end

      // begin: testing: laws
      let laws = CodecLaws(values: ["", "a", "ü"])
      print(laws.check(JSONCodec<String>()).isEmpty)  // true
      // end
    }
  }
}

// begin: admission: provider
struct NotNegative: RuleProvider {
  static let rule: Rule<Int> = .atLeast(0)
}

struct Payment: Codable {
  @Must<NotNegative> var amount: Int
}
// end

/// The server of the notes.
struct NotesServer: Sendable {
  func read<Value>(_ key: String) async throws -> Value { throw CancellationError() }
  func accept<Value>(_ write: PendingWrite<Value>) async throws {}

  /// A page of the changes since a cursor; `nil` when that is no longer known.
  func notes(since cursor: String?, page: String?) async throws -> NotesPage? { nil }
}

/// A page of notes.
struct NotesPage: Sendable {
  struct Entry: Sendable {
    var text: String
    var tag: String
  }

  var notes: [String: Entry]
  var removed: [String]
  var cursor: String
  var next: String?
}
