import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Local writes that say what they were made from.
@Suite struct BasisTests: ArticleSuite {
  private static func version(_ tag: String) -> FetchDetails {
    FetchDetails(validators: Validators(entityTag: "\"\(tag)\""))
  }

  /// The conflicts that a merge was asked about, each as base, local and remote.
  private final class Merges: Sendable {
    let asked = Recorder<[String?]>()

    var policy: ConflictPolicy<String> {
      .merge { [asked] conflict in
        asked.add([conflict.base, conflict.local, conflict.remote])
        return .merged("\(conflict.local ?? "-") and \(conflict.remote ?? "-")")
      }
    }
  }

  /// The first version, from which a form was made; by now the store may know another one.
  private func form(
    in articles: RecordCollection<String>, replacedBy value: String? = nil
  ) async throws -> Basis<String> {
    try await articles.put("one", for: "1", details: Self.version("1"))
    let form = try articles.read("1").basis
    if let value { try await articles.put(value, for: "1", details: Self.version("2")) }
    return form
  }

  /// Notes what is sent, and accepts it unless `answer` says otherwise.
  @discardableResult
  private func drain(
    _ articles: RecordCollection<String>, into sent: Sent<String>,
    conflicts: ConflictPolicy<String> = .parks,
    _ answer: @escaping @Sendable (PendingWrite<String>) -> Pushed<String> = { _ in .accepted }
  ) async throws -> [String: PushOutcome<String>] {
    try await articles.drain(conflicts: conflicts) { write in
      sent.add(write)
      return answer(write)
    }
  }

  /// The answer of a source that holds the second version when the first write comes.
  private static func once(_ sent: Sent<String>) -> Pushed<String> {
    sent.all.count == 1 ? .conflict(.value("two", version("2"))) : .accepted
  }

  @Test func `a form opened on an earlier version never overwrites a later one unseen`()
    async throws
  {
    try await withArticles { _, articles in
      let form = try await form(in: articles, replacedBy: "two")
      try await articles.write("mine", for: "1", basedOn: form)
      let (sent, merges) = (Sent<String>(), Merges())
      let outcome = try await drain(articles, into: sent, conflicts: merges.policy)

      #expect(merges.asked.all == [["one", "mine", "two"]])
      #expect(sent.all.map(\.value) == ["mine and two"])
      #expect(sent.all.map(\.base) == ["two"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"2\""])
      #expect(outcome["1"]?.words == "accepted mine and two")
      #expect(try articles.value("1") == "mine and two")
    }
  }

  @Test(arguments: [
    (
      ConflictPolicy<String>.parks, "parked: the source holds another change", "mine", [String?]()
    ),
    (.serverWins, "discarded [1]", "two", []), (.clientWins, "accepted mine", "mine", ["two"]),
  ])
  func `a conflict that is known already is ended without a request`(
    conflicts: ConflictPolicy<String>, outcome: String, value: String, bases: [String?]
  ) async throws {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      try await articles.write("mine", for: "1", basedOn: form)
      let sent = Sent<String>()
      let outcomes = try await drain(articles, into: sent, conflicts: conflicts)

      #expect(outcomes["1"]?.words == outcome)
      #expect(try articles.value("1") == value)
      #expect(sent.all.map(\.base) == bases)
      if value == "two" {
        #expect(try articles.state("1") == .fresh)
        #expect(try articles.explain("1").validators.entityTag == "\"2\"")
        #expect(try temporary.store.outbox().isEmpty)
      }
    }
  }

  @Test(arguments: [
    ("one", ["two", "two"], "accepted two"),
    ("theirs", ["two"], "parked: the source holds another change"),
  ])
  func `a form that was saved, and whose record is gone, is sent upon its last value alone`(
    held: String, values: [String], outcome: String
  ) async throws {
    try await withArticles { temporary, articles in
      let sent = Sent<String>()
      let nothing = try articles.read("1").basis
      let saved = try await articles.write("one", for: "1", basedOn: nothing).basis
      try await drain(articles, into: Sent<String>())
      try await articles.remove("1")
      try await articles.write("two", for: "1", basedOn: saved)
      // A source without versions, which shows what it holds when it is asked to look.
      let outcomes = try await drain(articles, into: sent) { write in
        write.isBaseUnseen ? .conflict(.value(held)) : .accepted
      }

      #expect(sent.all.map(\.value) == values)
      #expect(sent.all.map(\.base) == values.map { _ in "one" })
      #expect(sent.all.map(\.isBaseUnseen) == [true, false].prefix(values.count).map(\.self))
      #expect(outcomes["1"]?.words == outcome)
      let attempts = try temporary.store.outbox().map(\.attempts)
      #expect(attempts == (held == "one" ? [] : [1]))
    }
  }

  @Test func `a conflict that is known counts no attempt, unless its resolution fails`()
    async throws
  {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      let entry = try await articles.write("mine", for: "1", basedOn: form).entry
      let sent = Sent<String>()
      let found = { () async throws in
        try await temporary.store.pushCommits.run { (connection) throws(SQLiteError) in
          try Storage.write(entry.id, connection)
        }
      }
      // Something is written while it is resolved.
      try await drain(
        articles, into: sent,
        conflicts: .merge { _ in
          try await articles.write("later", for: "1")
          return .merged("both")
        })
      let outdated = try #require(try await found())
      #expect(outdated.attempts == 0 && outdated.asked == nil && outdated.conflicts == 1)

      temporary.clock.advance(by: .minutes(10))
      try await drain(articles, into: sent, conflicts: .merge { _ in throw OriginFailure() })
      #expect(try await found()?.attempts == 1)
      temporary.clock.advance(by: .minutes(10))
      try await drain(articles, into: sent)
      #expect(try await found()?.attempts == 1)
      #expect(try temporary.store.outbox().map(\.state) == [.parked, .waiting])
      #expect(sent.all.isEmpty)
    }
  }

  @Test func `a copy that is still the present version is the base, also after a confirmation`()
    async throws
  {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles)
      try await articles.markStale("1")
      let origin = ScriptedOrigin<String> { _ in .notModified }
      try await articles.get("1", from: origin)
      try await articles.write("mine", for: "1", basedOn: form)
      let sent = Sent<String>()
      try await drain(articles, into: sent)

      #expect(sent.all.map(\.base) == ["one"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\""])
    }
  }

  @Test func `a base that is gone is sent all the same, and the source decides`() async throws {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      try await articles.remove("1")
      try await articles.write("mine", for: "1", basedOn: form)
      let (sent, merges) = (Sent<String>(), Merges())
      try await drain(articles, into: sent, conflicts: merges.policy) { _ in Self.once(sent) }

      #expect(sent.all.map(\.base) == ["one", "two"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\"", "\"2\""])
      #expect(merges.asked.all == [["one", "mine", "two"]])
    }
  }

  @Test func `two forms opened on one version conflict with each other, in their order`()
    async throws
  {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      try await articles.write("first", for: "1", basedOn: form)
      try await articles.write("second", for: "1", basedOn: form)
      let (sent, merges) = (Sent<String>(), Merges())
      for _ in 1...2 {
        try await drain(articles, into: sent, conflicts: merges.policy)
      }

      #expect(merges.asked.all == [["one", "second", "first"]])
      #expect(sent.all.map(\.value) == ["first", "second and first"])
    }
  }

  @Test func `a form opened on a local write goes on from it`() async throws {
    try await withArticles { _, articles in
      try await articles.write("first", for: "1")
      let form = try articles.read("1").basis
      let sent = Sent<String>()
      try await drain(articles, into: sent) { _ in .accepted(Self.version("1")) }
      try await articles.write("second", for: "1", basedOn: form)
      try await drain(articles, into: sent, conflicts: .parks)

      #expect(sent.all.map(\.value) == ["first", "second"])
      #expect(sent.all.map(\.base) == [nil, "first"])
      #expect(sent.last?.baseValidators.entityTag == "\"1\"")
    }
  }

  @Test func `a deletion that was decided upon an earlier version is a conflict, too`() async throws
  {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      try await articles.writeDeletion(of: "1", basedOn: form)
      let outcome = try await articles.drain(conflicts: .serverWins) { _ in .accepted }

      #expect(outcome["1"]?.words == "discarded [1]")
      #expect(try articles.value("1") == "two")
    }
  }

  @Test func `a mark from before a known conflict still counts after the server has won`()
    async throws
  {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      try await temporary.store.markStale(collection: "articles")
      try await articles.write("mine", for: "1", basedOn: form)
      try await articles.drain(conflicts: .serverWins) { _ in .accepted }

      #expect(try articles.value("1") == "two")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `what was stale as it was accepted stays so after it has won a known conflict`()
    async throws
  {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      try await articles.write("first", for: "1")
      try await articles.write("mine", for: "1", basedOn: form)
      for _ in 1...2 {
        try await articles.drain(conflicts: .serverWins) { _ in
          .accepted(FetchDetails(isStorable: false))
        }
      }

      #expect(try articles.value("1") == "first")
      #expect(try articles.state("1") == .stale)
    }
  }

  @Test func `a coalesced write keeps the basis of the first one`() async throws {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      try await articles.write("mine", for: "1", basedOn: form)
      try await articles.write("mine, longer", for: "1", options: WriteOptions(coalesces: true))
      let merges = Merges()
      try await articles.drain(conflicts: merges.policy) { _ in .accepted }

      #expect(merges.asked.all == [["one", "mine, longer", "two"]])
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a base of another key is refused`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      let basis = try articles.read("1").basis
      await #expect(throws: StoreError.self) {
        try await articles.write("mine", for: "2", basedOn: basis)
      }
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a basis survives the file, with what a later version has put into it`() {
    var basis = WriteBasis()
    basis.value = [1, 2, 3]
    (basis.codec, basis.contentVersion) = ("json", 7)
    basis.validators = Validators(entityTag: "\"é\"", lastModified: "then")
    (basis.metadata, basis.written) = ("more", .min)
    #expect(WriteBasis(encoded: basis.encoded) == basis)
    #expect(WriteBasis(encoded: WriteBasis().encoded) == WriteBasis())
    // A field of a later version, without which the write would not match its checksum.
    let later = basis.encoded + [200, 1, 9]
    #expect(WriteBasis(encoded: later).encoded == later)
  }

  @Test func `a merge takes no write that was made from another version`() async throws {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      try await articles.write("first", for: "1", basedOn: form)
      try await articles.write("second", for: "1", basedOn: form)
      let (sent, merges) = (Sent<String>(), Merges())
      for _ in 1...2 {
        try await drain(articles, into: sent, conflicts: merges.policy) { _ in Self.once(sent) }
      }
      #expect(merges.asked.all.map { $0[1] } == ["first", "second"])
      #expect(sent.all.map(\.value) == ["first", "first and two", "second and first and two"])
      #expect(try articles.value("1") == "second and first and two")
    }
  }

  @Test func `a write behind a merge is based on what the merge has replaced`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      let other = try await articles.write("other", for: "2")
      try await articles.write("first", for: "1")
      try await articles.write("second", for: "1", options: WriteOptions(after: other.id))
      let (sent, merges) = (Sent<String>(), Merges())
      for _ in 1...3 {
        try await drain(articles, into: sent, conflicts: merges.policy) { write in
          write.value == "first" ? .conflict(.value("two", Self.version("2"))) : .accepted
        }
      }
      #expect(
        merges.asked.all == [["one", "first", "two"], ["first", "second", "first and two"]])
      #expect(try articles.value("1") == "second and first and two")
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `the source wins over those writes alone that a merge was shown`(
    isForm: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles)
      let other = try await articles.write("other", for: "2")
      try await articles.write("first", for: "1")
      let second =
        isForm
        ? try await articles.write("second", for: "1", basedOn: form).entry
        : try await articles.write("second", for: "1", options: WriteOptions(after: other.id))
      let (sent, asked) = (Sent<String>(), Recorder<[String?]>())
      let remote = ConflictPolicy<String>.merge { conflict in
        asked.add([conflict.base, conflict.local, conflict.remote])
        return .remote
      }
      let outcomes = try await drain(articles, into: sent, conflicts: remote) { write in
        write.value == "first" ? .conflict(.value("two", Self.version("2"))) : .accepted
      }
      #expect(outcomes["1"]?.words == "discarded [2]")
      #expect(asked.all == [["one", "first", "two"]])
      #expect(try temporary.store.outbox().map(\.id) == [second.id])
      #expect(try articles.value("1") == "second")

      try await drain(articles, into: sent, conflicts: remote)
      #expect(asked.all.last == [isForm ? "one" : "first", "second", "two"])
      #expect(try articles.value("1") == "two")
      #expect(sent.all.map(\.value).sorted { ($0 ?? "") < ($1 ?? "") } == ["first", "other"])
    }
  }

  @Test func `a write behind one that the source has changed is based on that one as written`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      for value in ["two", "three"] { try await articles.update("1") { $0 = value } }
      let (sent, merges) = (Sent<String>(), Merges())
      for _ in 1...2 {
        try await drain(articles, into: sent, conflicts: merges.policy) { write in
          write.value == "two" ? .acceptedAs("five", Self.version("2")) : .accepted
        }
      }
      #expect(merges.asked.all == [["two", "three", "five"]])
      #expect(sent.all.map(\.value) == ["two", "three and five"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\"", "\"2\""])
      #expect(try articles.value("1") == "three and five")
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `a patch behind one that the source has changed is sent upon what came of that`(
    meetsAnother: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      let patches = ["a", "b"].map { text in
        WriteKind.patch(Array(text.utf8), contentType: "text/plain")
      }
      try await articles.write("one a", for: "1", as: patches[0])
      try await articles.write("one a b", for: "1", as: patches[1])
      let (sent, merges) = (Sent<String>(), Merges())
      for _ in 1...2 {
        try await drain(articles, into: sent, conflicts: merges.policy) { write in
          if meetsAnother, sent.all.count == 2 {
            return .conflict(.value("theirs", Self.version("8")))
          }
          return .acceptedAs("\(write.value ?? ""), stamped", Self.version("\(sent.all.count)0"))
        }
      }
      #expect(sent.all.prefix(2).map(\.kind) == patches)
      #expect(sent.all.prefix(2).map(\.base) == ["one", "one a, stamped"])
      #expect(sent.all.prefix(2).map(\.baseValidators.entityTag) == ["\"1\"", "\"10\""])
      // The local side lacks what the source has added to the one before: so does its base.
      #expect(merges.asked.all == (meetsAnother ? [["one a", "one a b", "theirs"]] : []))
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test func `a write behind one that the source has stored as it was is sent`() async throws {
    try await withArticles { _, articles in
      for value in ["two", "three"] { try await articles.update("1") { $0 = value } }
      let sent = Sent<String>()
      for _ in 1...2 {
        try await drain(articles, into: sent) { write in
          .acceptedAs(write.value ?? "", Self.version(write.value ?? ""))
        }
      }
      #expect(sent.all.map(\.value) == ["two", "three"])
      #expect(sent.all.map(\.baseValidators.entityTag) == [nil, "\"two\""])
    }
  }

  @Test func `a basis that the source is known to hold is sent with its version`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("first", for: "1")
      let form = try articles.read("1").basis
      let other = try await articles.write("other", for: "1")
      try await articles.write("second", for: "1", basedOn: form)
      try await articles.drain { _ in .accepted(Self.version("1")) }
      try await temporary.store.drop([other.id])
      let sent = Sent<String>()
      try await drain(articles, into: sent)
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\""])
    }
  }

  @Test func `a basis without a version is sent with that of the known state of the source`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      try await articles.write("shown", for: "1")
      let form = try articles.read("1").basis
      for _ in 1...2 { try await articles.write("mine", for: "1", basedOn: form) }
      let sent = Sent<String>()
      for value in ["shown", "mine"] {
        try await drain(articles, into: sent) { _ in .accepted(Self.version(value)) }
      }
      // From here on equal sides prove nothing.
      try await articles.markStale("1")
      try await drain(articles, into: sent, conflicts: .clientWins) { _ in
        sent.all.count == 3 ? .conflict(.value("three", Self.version("3"))) : .accepted
      }

      #expect(sent.all.map(\.value) == ["shown", "mine", "mine", "mine"])
      #expect(
        sent.all.map(\.baseValidators.entityTag) == [
          "\"1\"", "\"shown\"", "\"mine\"", "\"3\"",
        ])
    }
  }

  @Test func `a basis that its source shows and forbids to keep is asked about once`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.put("one", for: "1")
      let form = try articles.read("1").basis
      try await articles.remove("1")
      try await articles.write("mine", for: "1", basedOn: form)
      let sent = Sent<String>()
      let outcomes = try await drain(articles, into: sent) { _ in
        .conflict(.value("one", FetchDetails(isStorable: false)))
      }
      #expect(sent.all.count == 1)
      #expect(outcomes["1"]?.words == "parked: the source holds another change")
    }
  }

  @Test func `a patch upon what its source has made of the write before leaves the copy stale`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.write("one", for: "1")
      try await articles.write(
        "one two", for: "1", as: .patch(Array("two".utf8), contentType: "text/plain"))
      let sent = Sent<String>()
      for _ in 1...2 {
        try await drain(articles, into: sent, conflicts: .merging { _, _, _ in }) { write in
          write.value == "one"
            ? .acceptedAs("one, theirs", Self.version("2")) : .accepted(Self.version("3"))
        }
      }
      #expect(sent.all.map(\.baseValidators.entityTag) == [nil, "\"2\""])
      #expect(try articles.state("1") == .stale)
      #expect(try articles.explain("1").validators.isEmpty)
    }
  }

  /// Why the source may hold another version than the known one.
  enum Doubt: CaseIterable {
    case mark, coveringMark, age
  }

  @Test(arguments: Doubt.allCases)
  func `equal sides prove nothing where the source may hold another version by now`(
    doubt: Doubt
  ) async throws {
    try await withArticles(.cacheFirst.expiring(.after(.seconds(60)))) { temporary, articles in
      let form = try await form(in: articles, replacedBy: "two")
      switch doubt {
      case .mark: try await articles.markStale("1")
      case .coveringMark: try await articles.markAllStale()
      case .age: temporary.clock.advance(by: .seconds(61))
      }
      try await articles.write("two", for: "1", basedOn: form)
      let sent = Sent<String>()
      try await drain(articles, into: sent, conflicts: .clientWins) { _ in
        sent.all.count == 1 ? .conflict(.value("three", Self.version("3"))) : .accepted
      }
      #expect(sent.all.count == 2)
    }
  }

  // MARK: Forms that are saved twice, and new ones

  @Test func `a form that is saved twice does not conflict with itself`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      var basis = try articles.read("1").basis
      basis = try await articles.write("first", for: "1", basedOn: basis).basis
      basis = try await articles.write("second", for: "1", basedOn: basis).basis
      let (sent, merges) = (Sent<String>(), Merges())
      for number in 2...3 {
        try await articles.drain(conflicts: merges.policy) { write in
          sent.add(write)
          return .accepted(Self.version("\(number)"))
        }
      }
      try await articles.write("third", for: "1", basedOn: basis)
      try await articles.drain(conflicts: merges.policy) { write in
        sent.add(write)
        return .accepted
      }

      #expect(merges.asked.all.isEmpty)
      #expect(sent.all.map(\.value) == ["first", "second", "third"])
      #expect(sent.all.map(\.base) == ["one", "first", "second"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\"", "\"2\"", "\"3\""])
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test(arguments: [ConflictPolicy<String>.parks, .serverWins, .clientWins], [true, false])
  func `without a merge the next save of a form follows what the source has made of the one before`(
    conflicts: ConflictPolicy<String>, isOpenedAnew: Bool
  ) async throws {
    try await withArticles { temporary, articles in
      let form = try await form(in: articles)
      let saved = try await articles.write("first", for: "1", basedOn: form).basis
      // Or a form that was opened while the first save waited.
      let basis = try isOpenedAnew ? articles.read("1").basis : saved
      let sent = Sent<String>()
      try await drain(articles, into: sent, conflicts: conflicts) { _ in
        .acceptedAs("first, stamped", Self.version("2"))
      }
      try await articles.write("second", for: "1", basedOn: basis)
      let outcomes = try await drain(articles, into: sent, conflicts: conflicts)

      #expect(outcomes["1"]?.words == "accepted second")
      #expect(sent.all.map(\.base) == ["one", "first, stamped"])
      #expect(sent.all.map(\.baseValidators.entityTag) == ["\"1\"", "\"2\""])
      #expect(try temporary.store.outbox().isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `what the source has made of a save stays that when it is fetched again`(
    isTold: Bool
  ) async throws {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      let saved = try await articles.write("first", for: "1", basedOn: form).basis
      let sent = Sent<String>()
      try await drain(articles, into: sent) { _ in
        .acceptedAs("first, stamped", Self.version("2"))
      }
      try await articles.markStale("1")
      let origin = ScriptedOrigin<String> { _ in
        isTold ? .value("first, stamped", Self.version("3")) : .notModified
      }
      try await articles.get("1", from: origin)
      try await articles.write("second", for: "1", basedOn: saved)
      let outcomes = try await drain(articles, into: sent)

      #expect(outcomes["1"]?.words == "accepted second")
      #expect(sent.last?.baseValidators.entityTag == (isTold ? "\"3\"" : "\"2\""))
    }
  }

  @Test
  func `a merge brings the next save of a form into what the source has made of the one before`()
    async throws
  {
    try await withArticles { _, articles in
      let form = try await form(in: articles)
      let saved = try await articles.write("first", for: "1", basedOn: form).basis
      let (sent, merges) = (Sent<String>(), Merges())
      try await drain(articles, into: sent, conflicts: merges.policy) { _ in
        .acceptedAs("first, stamped", Self.version("2"))
      }
      try await articles.write("second", for: "1", basedOn: saved)
      try await drain(articles, into: sent, conflicts: merges.policy)

      #expect(merges.asked.all == [["first", "second", "first, stamped"]])
      #expect(sent.last?.value == "second and first, stamped")
    }
  }

  @Test func `what others have written between two saves of a form is a conflict with the second`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.put("one", for: "1", details: Self.version("1"))
      let saved = try await articles.write(
        "first", for: "1", basedOn: articles.read("1").basis)
      #expect(saved.entry.kind == .replace && saved.basis.value == "first")
      try await articles.drain { _ in .accepted(Self.version("2")) }
      try await articles.put("theirs", for: "1", details: Self.version("3"))
      try await articles.write("second", for: "1", basedOn: saved.basis)
      let merges = Merges()
      try await articles.drain(conflicts: merges.policy) { _ in .accepted }

      #expect(merges.asked.all == [["first", "second", "theirs"]])
    }
  }

  @Test func `a new object that another form, or the source, has made meanwhile is a conflict`()
    async throws
  {
    try await withArticles { _, articles in
      let form = try articles.read("1").basis
      #expect(form.value == nil && form.key == "1")
      try await articles.put("theirs", for: "1", details: Self.version("1"))
      let saved = try await articles.write("mine", for: "1", basedOn: form)
      #expect(saved.entry.kind == .create)
      let (sent, merges) = (Sent<String>(), Merges())
      try await articles.drain(conflicts: merges.policy) { write in
        sent.add(write)
        return .accepted
      }

      #expect(merges.asked.all == [[nil, "mine", "theirs"]])
      #expect(sent.all.map(\.value) == ["mine and theirs"])
    }
  }

  @Test func `a new object that nobody else has made is created`() async throws {
    try await withArticles { _, articles in
      try await articles.write("mine", for: "1", basedOn: articles.read("1").basis)
      let sent = Sent<String>()
      try await articles.drain { write in
        sent.add(write)
        return .accepted
      }

      #expect(sent.all.map(\.kind) == [.create])
      #expect(sent.all.map(\.base) == [nil])
    }
  }
}
