import FreshStore
import FreshStoreTools
import Strategies

@testable import Command

/// The laws that keys and values keep, whatever they are: operations on a store in a file, compared
/// with a dictionary.
struct RecordLaws {
  private static let largestKey = 1024
  private static let largestValue = 6000
  /// A collection that must not change, whatever happens to the other.
  private static let beside = "beside"

  private let path: String
  private var store: Store
  private var records: RecordCollection<[UInt8]>
  private var model = RecordModel()
  /// The keys that were asked about.
  private var mentioned: Set<[UInt8]> = []

  /// The laws for the name of a collection and operations on it, one after the other.
  static func check(_ input: [UInt8]) {
    waiting {
      var reader = InputReader(input)
      let folder = StoreFolder.fresh()
      folder.write(StoreTemplate.empty, to: "store.db")
      var laws = try await RecordLaws(path: folder.file("store.db"), collection: reader.text())
      while !reader.isAtEnd { try await laws.step(&reader) }
      try await laws.checkAll()
      law("a store is sound", try await laws.store.check().isSound)
      try await laws.store.close()
    }
  }

  private init(path: String, collection name: String) async throws {
    self.path = path
    store = try Self.open(path)
    let isName = 1...255 ~= name.utf8.count
    let code = Self.code { [store] in _ = try store.bytes(name) }
    law(
      "a collection is refused by the length of its name",
      code == (isName ? nil : .invalidCollection))
    records = try store.bytes(isName && name != Self.beside ? name : "records")
    try await store.bytes(Self.beside).put([1, 2, 3], for: "key", details: Self.details())
  }

  private static func open(_ path: String) throws -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.clock = StillClock()
    configuration.maximumValueSize = largestValue
    return try Store(path: path, configuration: configuration)
  }

  private static func details(tag: String? = nil) -> FetchDetails {
    FetchDetails(expiry: .never, tags: tag.map { [$0] })
  }

  // MARK: Operations

  private mutating func step(_ reader: inout InputReader) async throws {
    switch reader.byte() {
    case UInt8(ascii: "t"): try await put(reader.text(), reader.repeatedBytes(), tag: reader.text())
    case UInt8(ascii: "r"): try await remove(reader.text())
    case UInt8(ascii: "k"): try await mark(key: reader.text())
    case UInt8(ascii: "x"): try await mark(prefix: reader.text())
    case UInt8(ascii: "g"): try await mark(tag: reader.text())
    case UInt8(ascii: "a"):
      try await records.markAllStale()
      model.mark { _, _ in true }
    case UInt8(ascii: "e"):
      law("all that is there is removed", try await records.removeAll() == model.entries.count)
      model.removeAll()
    case UInt8(ascii: "o"):
      try await checkAll()
      try await store.close()
      store = try Self.open(path)
      records = try store.bytes(records.name)
      try await checkAll()
    default: try await put(reader.text(), reader.repeatedBytes(), tag: nil)
    }
  }

  private mutating func put(_ key: String, _ value: [UInt8], tag: String?) async throws {
    let tag = tag.flatMap { $0.isEmpty ? nil : $0 }
    let code = await Self.code { [records] in
      try await records.put(
        value, for: key, details: Self.details(tag: tag), durability: .normal)
    }
    if isKey(key), value.count > Self.largestValue {
      let expected = StoreError.Code.valueTooLarge(bytes: value.count, limit: Self.largestValue)
      law("a value that is too large is refused", code == expected)
    } else {
      law("a key is refused by its length", code == (isKey(key) ? nil : .invalidKey))
      if isKey(key) { model.put(value, for: key, tag: tag) }
    }
    try check(key)
  }

  private mutating func remove(_ key: String) async throws {
    var wasThere = false
    let code = await Self.code { [records] in wasThere = try await records.remove(key) }
    law("a key is refused by its length", code == (isKey(key) ? nil : .invalidKey))
    law("what was there is removed", wasThere == model.remove(key))
    try check(key)
  }

  private mutating func mark(key: String) async throws {
    var wasThere = false
    let code = await Self.code { [records] in wasThere = try await records.markStale(key) }
    law("a key is refused by its length", code == (isKey(key) ? nil : .invalidKey))
    law("what is there is marked", wasThere == (model.entries[Array(key.utf8)] != nil))
    model.mark { found, _ in found.elementsEqual(key.utf8) }
    try check(key)
  }

  private mutating func mark(prefix: String) async throws {
    let code = await Self.code { [records] in try await records.markStale(prefix: prefix) }
    law("a prefix is refused by its length", code == (isKey(prefix) ? nil : .invalidKey))
    if isKey(prefix) { model.mark { key, _ in key.starts(with: prefix.utf8) } }
    for key in model.keys { try check(String(decoding: key, as: UTF8.self)) }
    try check(prefix)
  }

  private mutating func mark(tag: String) async throws {
    let code = await Self.code { [store] in try await store.markStale(tag: tag) }
    law("a tag is refused when it is empty", (code == nil) != tag.isEmpty)
    model.mark { _, entry in entry.tag.map { $0.utf8.elementsEqual(tag.utf8) } ?? false }
    for key in model.keys { try check(String(decoding: key, as: UTF8.self)) }
  }

  // MARK: Invariants

  private func isKey(_ text: String) -> Bool { 1...Self.largestKey ~= text.utf8.count }

  /// The record of a key agrees with the model.
  private mutating func check(_ key: String) throws {
    guard isKey(key) else {
      return law(
        "a key is refused by its length",
        Self.code { [records] in _ = try records.read(key) } == .invalidKey)
    }
    mentioned.insert(Array(key.utf8))
    let entry = model.entries[Array(key.utf8)]
    switch try records.read(key) {
    case .fresh(let copy):
      law("what is fresh is not marked", entry?.isMarked == false)
      law("what is read is what was put", copy.value == entry?.value)
    case .stale(let copy):
      law("what is stale is marked", entry?.isMarked == true)
      law("what is read is what was put", copy.value == entry?.value)
    case .missing: law("what is there is not missing", entry == nil)
    case .unusable: law("what was put can be used", false)
    }
    let servable = try records.servableValue(key)
    law("what is fresh is served", servable == (entry?.isMarked == false ? entry?.value : nil))
  }

  private mutating func checkAll() async throws {
    for key in mentioned { try check(String(decoding: key, as: UTF8.self)) }
    try checkListing(prefix: "")
    for key in mentioned { try checkListing(prefix: String(decoding: key, as: UTF8.self)) }
    let other = try store.bytes(Self.beside).servableValue("key")
    law("another collection is left alone", other == [1, 2, 3])
    let counted = try store.statistics().collections.first {
      $0.name.utf8.elementsEqual(records.name.utf8)
    }
    law("every record is counted", counted?.records ?? 0 == model.entries.count)
    let bytes = model.entries.values.reduce(0) { $0 + $1.value.count }
    law("every byte is counted", counted?.bytes ?? 0 == bytes)
  }

  /// A listing has exactly the keys with that prefix, in their order, with their known details.
  private func checkListing(prefix: String) throws {
    let expected = model.keys.filter { $0.starts(with: prefix.utf8) }
    var found: [RecordSummary] = []
    while true {
      let page = try store.list(
        collection: records.name, prefix: prefix, after: found.last, limit: 3)
      found += page
      if page.count < 3 { break }
      law("a listing ends", found.count <= expected.count)
    }
    law("exactly what begins so is listed", found.map { Array($0.key.utf8) } == expected)
    let names = StoredNames(of: path).keys(
      of: records.name, beginningWith: prefix, limit: .max)
    law("exactly what begins so is offered", names.map { Array($0.utf8) } == expected)
    for record in found {
      let entry = model.entries[Array(record.key.utf8)]
      law("a listing tells the size", record.size == entry?.value.count)
      let state: Decision.Outcome = entry?.isMarked == true ? .stale : .fresh
      law("a listing tells the state", record.decision.outcome == state)
      law("a key does nothing to a terminal", Console.printable(record.key).isHarmless)
    }
  }

  /// The kind of failure; `nil` when there was none.
  private static func code(_ body: () async throws -> Void) async -> StoreError.Code? {
    do {
      try await body()
      return nil
    } catch let error as StoreError {
      law("an error says something", !error.description.isEmpty)
      return error.code
    } catch {
      law("an error is the store's", false)
      return nil
    }
  }

  private static func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch let error as StoreError {
      law("an error says something", !error.description.isEmpty)
      return error.code
    } catch {
      law("an error is the store's", false)
      return nil
    }
  }
}
