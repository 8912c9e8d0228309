internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Workload

/// The memory that a store takes, each figure found in a process of its own.
struct Footprint {
  private let path: String
  private let counts: [Int]

  /// A process that works with so many records, and the growth of its memory.
  private struct Growth: Codable {
    let heap: Int
    let resident: Int
  }

  init(path: String, isQuick: Bool) {
    self.path = path
    counts = isQuick ? [100, 1000] : [10_000, 100_000]
  }

  func measureOpenStore() throws -> Section {
    var section = Section(
      "Memory of an open store that keeps no records there",
      columns: ["after", "allocated KiB", "resident KiB"])
    let opened = try growth("opened", "typed", 0)
    let used = try growth("none", "typed", counts[0])
    for (name, growth) in [("opening, and a read", opened), ("\(counts[0]) reads", used)] {
      section.add(row: [
        name, (Double(growth.heap) / 1024).figures, (Double(growth.resident) / 1024).figures,
      ])
      section.add(Figure("open store, after \(name)", Double(growth.heap), "B"))
    }
    section.judge(
      "allocated by an open store", Double(opened.heap) / 1_048_576, atMost: 2, "MiB")
    section.add(
      note: "resident: pages of libraries and of the file that were touched are among them")
    return section
  }

  func measureResidents() throws -> Section {
    var section = Section(
      "Memory of the records a store keeps there",
      columns: ["value", "records", "all bytes each", "of them value and key", "of them ours"])
    for kind in ["bytes", "typed"] {
      for count in counts {
        let none = try growth("none", kind, count).heap
        let kept = Double(try growth("kept", kind, count).heap - none) / Double(count)
        let values = Double(try growth("values", kind, count).heap - none) / Double(count)
        section.add(row: [kind, "\(count)", kept.figures, values.figures, (kept - values).figures])
        section.add(Figure("resident, \(kind), \(count) records: ours", kept - values, "B"))
        section.judge("\(kind), \(count) records: ours each", kept - values, atMost: 160, "B")
      }
    }
    section.add(
      note:
        "value and key: two arrays of the same values and keys; what the reads cost otherwise is "
        + "what they cost a store that keeps nothing")
    return section
  }

  private func growth(_ mode: String, _ kind: String, _ count: Int) throws -> Growth {
    let outcome = try Worker(["memory", mode, kind, path, "\(count)"]).run()
    guard outcome.status == 0 else { throw BenchmarkFailure(words: outcome.complaints) }
    return try JSONDecoder().decode(Growth.self, from: outcome.output)
  }

  /// `memory MODE KIND PATH COUNT`.
  static func run(_ arguments: [String]) throws {
    guard let count = Int(arguments[4]) else { Program.refuse(arguments) }
    let before = (heap: Heap.bytes, resident: Heap.residentBytes)
    let limits =
      arguments[1] == "kept" ? MemoryLimits(records: 2 * count, bytes: 1 << 30) : .none
    let configuration =
      arguments[1] == "opened"
      ? Configuration.withThreeStrategies() : .withThreeStrategies(memory: limits)
    let store = try Store(path: arguments[3], configuration: configuration)
    let growth =
      arguments[2] == "bytes"
      ? try read(
        store.collection("people", codec: AnyBytesCodec()), count, arguments[1], since: before)
      : try read(store.collection("people", of: Person.self), count, arguments[1], since: before)
    FileHandle.standardOutput.write(try JSONEncoder().encode(growth))
  }

  private static func read<Value: Sendable>(
    _ people: RecordCollection<Value>, _ count: Int, _ mode: String,
    since before: (heap: Int, resident: Int)
  ) throws -> Growth {
    var (keys, values): ([String], [Value]) = ([], [])
    if mode == "values" {
      keys.reserveCapacity(count)
      values.reserveCapacity(count)
    }
    _ = try people.read("nothing")
    for number in 0..<count {
      let key = "user:\(number)"
      guard case .fresh(let copy) = try people.read(key) else {
        throw BenchmarkFailure(words: "\(key) is not fresh")
      }
      if mode == "values" {
        keys.append(key)
        values.append(copy.value)
      }
    }
    return withExtendedLifetime((keys, values)) {
      Growth(
        heap: Heap.bytes - before.heap, resident: Heap.residentBytes - before.resident)
    }
  }
}
