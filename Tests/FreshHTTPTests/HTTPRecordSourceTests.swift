#if HTTP
  internal import FreshStore
  internal import FreshStoreTesting
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  /// The records at a base address.
  @Suite(.timeLimit(.minutes(1))) struct HTTPRecordSourceTests {
    private struct Note: Codable, Hashable, Sendable {
      var text: String
    }

    private static let base = "https://example.org/notes"

    /// The source of notes whose requests are answered from a table of texts by address; 404 elsewhere.
    private func notes(_ texts: [String: String]) throws -> HTTPRecordSource<Note> {
      let web = try HTTPSource { request in
        guard let text = texts[request.url] else { return HTTPSource.Response(404) }
        return HTTPSource.Response(headers: ["ETag": "\"v\""], text: text)
      }
      return try HTTPRecordSource(web, at: Self.base)
    }

    private func members(_ change: SourceListChange<Note>) -> [String: ListMember<Note>] {
      switch change {
      case .full(let members, _), .fullPage(let members, _, _), .delta(let members, _, _),
        .deltaPage(let members, _, _, _):
        members
      case .notModified, .expiredCursor: [:]
      }
    }

    // MARK: Records

    @Test(arguments: [
      ("7", "7"), ("a/b?c#d", "a%2Fb%3Fc%23d"), ("v1.2", "v1.2"), ("...", "..."),
      ("\u{e9} 1", "%C3%A9%201"), ("50%", "50%25"),
    ])
    func `a key is one segment of the path`(key: String, segment: String) async throws {
      let source = try notes(["\(Self.base)/\(segment)": #"{"text": "one"}"#])
      guard case .value(let note, let details) = try await source.fetch(Previous(key: key)) else {
        Issue.record("no value")
        return
      }
      #expect(note == Note(text: "one"))
      #expect(details.validators.entityTag == "\"v\"")
    }

    @Test(arguments: [
      ".", "..", "%2e", "%2E%2e", "%252e.", "a/..", "../a", "a/./b", "/", "a/", "/a", "a//b",
      "..\\a",
      "..;x", "a/..;/b",
    ])
    func `a key that servers read as the address of another record is refused, and nothing is sent`(
      key: String
    ) async throws {
      let sent = Mutex(0)
      let web = try HTTPSource { _ in
        sent.withLock { $0 += 1 }
        return HTTPSource.Response(204)
      }
      for source in [
        try HTTPRecordSource(web, at: Self.base, of: Note.self),
        try HTTPRecordSource(
          web, at: Self.base, codec: JSONCodec<Note>(),
          addressOfRecord: { "\(Self.base)/\($0)".replacing("\\", with: "%5C") }),
      ] {
        let write = PendingWrite<Note>(key: key, kind: .delete, value: nil, idempotencyKey: "k")
        guard case .refused(let refusal) = try await source.push(write) else {
          // A closure may put a slash behind each key.
          #expect(key == "a/")
          continue
        }
        #expect(refusal.description.contains("leads to another record"))
        await #expect(throws: HTTPFetchError.self) { try await source.fetch(Previous(key: key)) }
      }
      #expect(sent.withLock { $0 } == (key == "a/" ? 1 : 0))
    }

    @Test func `a write is sent as JSON to its own address, under its condition`() async throws {
      let sent = Mutex<[HTTPSource.Request]>([])
      let web = try HTTPSource { request in
        sent.withLock { $0.append(request) }
        return HTTPSource.Response(204, headers: ["ETag": "\"2\""])
      }
      let source = try HTTPRecordSource(web, at: "\(Self.base)/", of: Note.self)
      let pushed = try await source.push(
        PendingWrite(
          key: "7", kind: .replace, value: Note(text: "two"), idempotencyKey: "k",
          baseValidators: Validators(entityTag: "\"1\""), contentType: "application/json"))

      guard case .accepted(let details) = pushed else {
        Issue.record("\(pushed)")
        return
      }
      let request = try #require(sent.withLock { $0 }.first)
      #expect(details.validators.entityTag == "\"2\"")
      #expect(request.url == "\(Self.base)/7" && request.headers["If-Match"] == "\"1\"")
      #expect(request.body == Array(#"{"text":"two"}"#.utf8))
    }

    @Test(arguments: ["notes", "ftp://example.org/notes", "https://example.org/notes?all"])
    func `a base that is no address, or has a query, is refused`(base: String) async throws {
      let web = try HTTPSource { _ in HTTPSource.Response(404) }
      #expect(throws: HTTPFetchError.self) { try HTTPRecordSource(web, at: base, of: Note.self) }
    }

    // MARK: Writes with an address

    /// Sends what is due to a server that accepts everything; returns the lines of the requests, and how the
    /// writes ended.
    private func drain(_ notes: RecordCollection<Note>, _ clock: ManualClock) async throws -> (
      requests: [String], outcomes: [PushOutcome<Note>]
    ) {
      let sent = Mutex<[String]>([])
      let web = try HTTPSource(HTTPConfiguration(clock: clock)) { request in
        sent.withLock { $0.append("\(request.method) \(request.url)") }
        return HTTPSource.Response(204, headers: ["ETag": "\"2\""])
      }
      let source = try HTTPRecordSource(web, at: Self.base, of: Note.self)
      var outcomes: [PushOutcome<Note>] = []
      while true {
        let due = try await notes.store.dueWrites(limit: 1)
        guard let write = due.first else { break }
        let ends = await notes.push(due) { try await source.push($0) }
        if let end = try ends[write.entry.id]?.get() { outcomes.append(end) }
      }
      return (sent.withLock { $0 }, outcomes)
    }

    @Test func `a write is sent to the address that it states, and its record stays at its own`()
      async throws
    {
      try await TemporaryStore.run { temporary in
        let notes = try temporary.store.collection("notes", of: Note.self)
        let upload = "https://example.org/uploads/77?part=1"
        let options = WriteOptions(address: upload)
        try await notes.write(Note(text: "one"), for: "1", as: .create, options: options)
        // It follows the one before it, which was not sent yet.
        try await notes.write(Note(text: "two"), for: "1")
        let first = try await drain(notes, temporary.clock)
        #expect(first.requests == ["PUT \(upload)", "PUT \(upload)"])
        #expect(try notes.read("1").copy?.address == "\(Self.base)/1")

        try await notes.write(Note(text: "three"), for: "1")
        let second = try await drain(notes, temporary.clock)
        #expect(second.requests.last == "PUT \(Self.base)/1")
      }
    }

    @Test(arguments: ["ftp://x/y", "not an address", "", "https://example.com/notes/1"])
    func `a write with an address that is none, or on another origin, is refused`(
      address: String
    ) async throws {
      try await TemporaryStore.run { temporary in
        let notes = try temporary.store.collection("notes", of: Note.self)
        try await notes.write(
          Note(text: "one"), for: "1", options: WriteOptions(address: address))
        let end = try await drain(notes, temporary.clock)
        guard case .parked? = end.outcomes.first else {
          Issue.record("\(end)")
          return
        }
        #expect(end.requests.isEmpty && end.outcomes.count == 1)
      }
    }

    @Test func `a record that came from elsewhere is written to its own address`() async throws {
      try await TemporaryStore.run { temporary in
        let notes = try temporary.store.collection("notes", of: Note.self)
        let details = FetchDetails(
          validators: Validators(entityTag: "\"1\""), source: "the bundle")
        try await notes.put(Note(text: "one"), for: "1", details: details)
        for text in ["two", "three"] { try await notes.write(Note(text: text), for: "1") }
        let end = try await drain(notes, temporary.clock)
        #expect(end.requests == ["PUT \(Self.base)/1", "PUT \(Self.base)/1"])
      }
    }

    // MARK: Lists

    @Test func `a list comes in pages whose addresses are relative, then by its changes`()
      async throws
    {
      let source = try notes([
        Self.base: #"{"values": {"1": {"text": "a"}}, "tags": {"1": "\"v1\""}, "next": "?page=2"}"#,
        "\(Self.base)?page=2": #"{"values": {"2": {"text": "b"}}, "cursor": "?since=2"}"#,
        "\(Self.base)?since=2": #"{"values": {}, "removed": ["1"]}"#,
      ])
      let first = try await source.list(PreviousList(name: "all"))
      guard case .fullPage(let members, let next, nil) = first,
        case .value(let note, let details) = members["1"]
      else {
        Issue.record("\(first)")
        return
      }
      #expect(note == Note(text: "a") && details.validators.entityTag == "\"v1\"")

      let second = try await source.list(PreviousList(name: "all", page: next))
      guard case .full(_, let cursor?) = second else {
        Issue.record("\(second)")
        return
      }
      #expect(cursor == "\(Self.base)?since=2")

      let changes = try await source.list(PreviousList(name: "all", cursor: cursor))
      #expect(changes == .delta([:], removals: ["1"], cursor: cursor))
    }

    @Test func `a page or a cursor that the server no longer knows has expired`() async throws {
      let source = try notes([:])
      for previous in [
        PreviousList(name: "all", cursor: "\(Self.base)?since=1"),
        PreviousList(name: "all", cursor: "https://example.com/notes?since=1"),
        PreviousList(name: "all", page: "\(Self.base)?page=2"),
      ] {
        #expect(try await source.list(previous) == .expiredCursor)
      }
    }

    @Test(arguments: [
      #"{"values": {}, "next": "https://example.com/"}"#,
      #"{"values": {}, "cursor": "//example.com/"}"#,
    ])
    func `an address on another origin is refused`(page: String) async throws {
      let source = try notes([Self.base: page])
      await #expect(throws: HTTPFetchError.self) {
        try await source.list(PreviousList(name: "all"))
      }
    }

    @Test(arguments: [
      #"{}"#, #"{"error": "maintenance"}"#, #"{"values": null}"#, #"{"values": []}"#,
    ])
    func `an answer without values is no page, and empties no list`(body: String) async throws {
      try await TemporaryStore.run { temporary in
        let answer = Mutex(#"{"values": {"1": {"text": "a"}}}"#)
        let web = try HTTPSource(HTTPConfiguration(clock: temporary.clock)) { _ in
          HTTPSource.Response(text: answer.withLock { $0 })
        }
        let source = try HTTPRecordSource(web, at: Self.base, of: Note.self)
        let notes = try temporary.store.collection("notes", of: Note.self)
        _ = try await notes.follow("all", from: source)
        answer.withLock { $0 = body }

        await #expect(throws: GetError.self) { try await notes.follow("all", from: source) }
        #expect(try notes.members(of: "all") == ["1"])
        #expect(try notes.read("1").copy?.value == Note(text: "a"))
      }
    }

    @Test func `a value that cannot be decoded is asked for by itself`() async throws {
      let source = try notes([
        Self.base: #"{"values": {"1": {"text": 1}, "2": {"text": "b"}}, "named": ["3"]}"#
      ])
      let members = members(try await source.list(PreviousList(name: "all")))
      #expect(members["1"] == .changed && members["3"] == .named)
      guard case .value(Note(text: "b"), _) = members["2"] else {
        Issue.record("\(members)")
        return
      }
    }

    @Test func `a server that states it may answer a cursor with the whole list`() async throws {
      let cursor = "\(Self.base)?since=1"
      let source = try notes([cursor: #"{"values": {}, "isWhole": true}"#])
      let change = try await source.list(PreviousList(name: "all", cursor: cursor))
      #expect(change == .full([:], cursor: nil))
    }

    @Test func `other formats and addresses are named by closures`() async throws {
      let web = try HTTPSource { request in HTTPSource.Response(text: request.url) }
      let source = try HTTPRecordSource(
        web, at: Self.base, codec: BytesCodec(),
        addressOfRecord: { "https://example.org/note/\($0).txt" },
        addressOfList: { "https://example.org/lists/\($0)" },
        readingPage: { HTTPListPage(named: [String(decoding: $0, as: UTF8.self)]) })
      guard case .value(let bytes, _) = try await source.fetch(Previous(key: "7")) else {
        Issue.record("no value")
        return
      }
      #expect(String(decoding: bytes, as: UTF8.self) == "https://example.org/note/7.txt")
      #expect(
        try await source.list(PreviousList(name: "new"))
          == .full(["https://example.org/lists/new": .named], cursor: nil))
    }
  }
#endif
