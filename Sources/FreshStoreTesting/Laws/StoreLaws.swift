public import FreshStore

/// The laws of storing, checked through the public operations of a store.
///
/// A written value is read, a removed record is gone, a marked record is stale, and all of it outlives a reopening.
/// Each check returns its findings instead of failing, so that any test framework can use it.
public struct StoreLaws: Sendable {
  private let open: @Sendable () throws -> Store

  /// Creates the laws for the store that `open` returns: each time the same data, empty at first.
  ///
  /// Its sources must not be provably out of reach, as a marked record is then served like any other.
  public init(_ open: @escaping @Sendable () throws -> Store) {
    self.open = open
  }

  /// Checks every law, in collections of its own.
  public func check() async throws -> [LawViolation] {
    let store = try open()
    var found = try await checkRoundTrips(store)
    found += try await checkRemoval(store)
    found += try await checkMarks(store)
    try await store.close()
    let again = try open()
    found += try checkReopening(again)
    let check = try await again.check()
    found += require("the file is sound in the end", check.isSound, else: "\(check.problems)")
    try await again.close()
    return found
  }

  private static let samples: [String: [UInt8]] = [
    "a": [], "a\0b": [0], "é": Array("composed".utf8), "💾": Array(repeating: 255, count: 100_000),
    String(repeating: "k", count: 1024): [1],
  ]

  private func checkRoundTrips(_ store: Store) async throws -> [LawViolation] {
    let bytes = try store.bytes("laws-kept")
    try await bytes.put(Self.samples)
    var found = try values(bytes, law: "what is put is read")
    try await bytes.put([9], for: "a")
    found += try require(
      "a second put replaces the first", bytes.read("a").copy?.value == [9],
      else: "\(bytes.read("a"))")
    try await bytes.put([], for: "a")
    return found
  }

  private func checkRemoval(_ store: Store) async throws -> [LawViolation] {
    let bytes = try store.bytes("laws-removed")
    try await bytes.put([1], for: "key")
    let wasThere = try await bytes.remove("key")
    let isThere = try await bytes.remove("key")
    let law = "removing tells whether there was something"
    return try require(law, wasThere && !isThere, else: "\(wasThere), then \(isThere)")
      + require(
        "what is removed is missing", bytes.read("key").copy == nil,
        else: "\(bytes.read("key"))")
  }

  private func checkMarks(_ store: Store) async throws -> [LawViolation] {
    let bytes = try store.bytes("laws-marked")
    var found: [LawViolation] = []
    let marks: [(String, @Sendable () async throws -> Void)] = [
      ("key", { _ = try await bytes.markStale("marked") }),
      ("prefix", { try await bytes.markStale(prefix: "mark") }),
      ("tag", { try await store.markStale(tag: "laws") }),
      ("collection", { try await bytes.markAllStale() }),
    ]
    for (name, mark) in marks {
      try await bytes.put([1], for: "marked", details: FetchDetails(tags: ["laws"]))
      found += try require(
        "what is put is fresh", bytes.read("marked").isFresh, else: "not before \(name)")
      try await mark()
      found += try require(
        "what is marked by \(name) is stale", !bytes.read("marked").isFresh, else: "fresh")
    }
    return found
  }

  private func checkReopening(_ store: Store) throws -> [LawViolation] {
    try values(try store.bytes("laws-kept"), law: "what was put outlives a reopening")
      + require(
        "what was marked stays so", try !store.bytes("laws-marked").read("marked").isFresh,
        else: "fresh")
  }

  private func values(
    _ bytes: RecordCollection<[UInt8]>, law: String
  ) throws -> [LawViolation] {
    try Self.samples.flatMap { key, value in
      let found = try bytes.read(key).copy?.value
      return require(
        law, found == value, else: "\(key.debugDescription) has \(found?.count ?? -1) bytes")
    }
  }

  private func require(
    _ law: String, _ holds: Bool, else observation: @autoclosure () throws -> String
  ) rethrows -> [LawViolation] {
    holds ? [] : [LawViolation(law: law, checked: "store", observation: try observation())]
  }
}

extension Reading {
  fileprivate var isFresh: Bool { if case .fresh = self { true } else { false } }
}

/// The laws that every codec must keep, checked over given values.
///
/// Each check returns its findings instead of failing, so that any test framework can use it:
/// `#expect(CodecLaws(values: samples).check(MyCodec()) == [])`.
public struct CodecLaws<Value: Sendable & Equatable>: Sendable {
  private let values: [Value]

  /// Creates the laws for these values; include empty, large and unusual ones.
  public init(values: [Value]) {
    self.values = values
  }

  /// Checks a codec against every law.
  public func check(_ codec: some Codec<Value>) -> [LawViolation] {
    checkIdentifier(of: codec) + values.flatMap { checkRoundTrip(of: $0, codec) }
  }

  private func checkIdentifier(of codec: some Codec<Value>) -> [LawViolation] {
    let name = codec.identifier
    var found: [LawViolation] = []
    if name.isEmpty {
      found.append(
        LawViolation(law: "the identifier is not empty", checked: name, observation: "it is"))
    }
    if !codec.reads(name) {
      found.append(
        LawViolation(
          law: "a codec reads what it wrote", checked: name, observation: "it refuses its own name")
      )
    }
    return found
  }

  private func checkRoundTrip(of value: Value, _ codec: some Codec<Value>) -> [LawViolation] {
    let law = "decoding gives back what was encoded"
    do {
      let bytes = try codec.encode(value)
      let again = try codec.decode(bytes)
      guard again != value else { return [] }
      return [
        LawViolation(law: law, checked: codec.identifier, observation: "\(value) became \(again)")
      ]
    } catch {
      return [
        LawViolation(law: law, checked: codec.identifier, observation: "\(value) threw \(error)")
      ]
    }
  }
}
