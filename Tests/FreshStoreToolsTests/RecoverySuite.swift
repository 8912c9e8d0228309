import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// Tests that recover a store of records and local writes.
protocol RecoverySuite {}

extension RecoverySuite {
  /// The records of a store.
  static var records: Int { 120 }
  /// Its local writes.
  static var writes: Int { 40 }

  func open(_ path: String) throws -> Store {
    try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
  }

  func value(_ number: Int) -> [UInt8] {
    Array("<\(number)>".utf8) + .init(repeating: UInt8(number), count: 300 + number)
  }

  /// A closed store: tagged records, local writes to other keys, one of them to a known record.
  func makeStore(_ folder: TemporaryFolder) async throws -> String {
    let path = folder.file("store.db")
    let store = try open(path)
    let bytes = try store.bytes("records")
    for number in 0..<Self.records {
      try await bytes.put(
        value(number), for: "\(number)",
        details: FetchDetails(expiry: .never, tags: ["even\(number % 2)"]),
        durability: .normal)
    }
    let written = try store.bytes("written")
    for number in 0..<Self.writes { try await written.write(value(number), for: "\(number)") }
    try await store.close()
    return path
  }

  func recover(
    _ path: String, to new: String, acceptsLoss: Bool = false
  ) async throws -> RecoveryResult {
    var options = RecoveryOptions()
    options.acceptsLostWrites = acceptsLoss
    return try await Store.recover(path, to: new, options: options)
  }

  /// Checks that the store's contents are right and sound; returns how many records and writes it holds.
  func check(_ path: String) async throws -> (records: Int, writes: Int) {
    let store = try open(path)
    #expect(try await store.check().isSound)
    var records = 0
    for number in 0..<Self.records {
      guard let found = try store.bytes("records").value("\(number)") else { continue }
      #expect(found == value(number))
      records += 1
    }
    let entries = try store.outbox()
    for entry in entries {
      #expect(try store.bytes("written").value(entry.key) == value(Int(entry.key) ?? -1))
    }
    #expect(try store.list(collection: "written").filter { !$0.isPending }.isEmpty)
    try await store.close()
    return (records, entries.count)
  }

  func contents(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
