internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Glibc
internal import Workload

/// One of several processes on one file.
struct FleetMember {
  private let path: String
  private let process: Int
  private let records: Int
  private let operations: Int

  /// `member MEANS PATH PROCESS RECORDS OPERATIONS`.
  static func run(_ arguments: [String]) async throws {
    guard let means = Fleet.Means(rawValue: arguments[1]), let process = Int(arguments[3]),
      let records = Int(arguments[4]), let operations = Int(arguments[5])
    else { exit(64) }
    let member = FleetMember(
      path: arguments[2], process: process, records: records, operations: operations)
    let waits =
      switch means {
      case .floor: try await member.workThroughFloor()
      case .store: try await member.workThroughStore()
      }
    FileHandle.standardOutput.write(try JSONEncoder().encode(waits))
  }

  private func workThroughFloor() async throws -> Waits {
    let table = try RawTable(path: path, survivesPowerLoss: false)
    return try await work(
      get: { _ = try table.get($0) }, put: { try table.put($0, $1) },
      remove: { try table.remove($0) })
  }

  private func workThroughStore() async throws -> Waits {
    let store = try Store(path: path, configuration: .withThreeStrategies())
    let people = try store.collection("people", codec: AnyBytesCodec())
    let waits = try await work(
      get: { _ = try people.read($0) },
      put: { try await people.put($1, for: $0, durability: .normal) },
      remove: { try await people.remove($0, durability: .normal) })
    try await store.close()
    return waits
  }

  private func work(
    get: (String) throws -> Void, put: (String, [UInt8]) async throws -> Void,
    remove: (String) async throws -> Void
  ) async throws -> Waits {
    let traffic = Traffic(records: records, stream: process)
    let value = Array(try JSONEncoder().encode(Person(process)))
    // The first of each opens and prepares the means of the others.
    try get("user:0")
    try await put("user:\(process)", value)
    _ = try await Crowd(gate: path + ".gate").wait(as: process)
    var waits = Waits()
    var random = UInt64(process)
    for _ in 0..<operations {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = traffic.nextKey()
      switch (random >> 33) % 100 {
      case 0..<90: try await waits.note(\.gets) { try get(key) }
      case 90..<99: try await waits.note(\.puts) { try await put(key, value) }
      default: try await waits.note(\.removals) { try await remove(key) }
      }
    }
    return waits
  }
}
