internal import BenchmarkKit
internal import FreshStore
internal import Workload

/// Puts and nothing else, for a profiler.
///
/// - `put PATH PUTS BATCH` puts through a store.
/// - `raw PATH PUTS BATCH` puts in the manner of the floor.
/// - `durable` after either one makes the puts survive a power cut.
/// - `new` after either one gives each put a key of its own.
enum Profiled {
  static func run(_ arguments: [String]) async throws {
    let value = [UInt8](repeating: 120, count: 256)
    let traffic = Traffic(records: 100_000)
    let isNew = arguments.last == "new"
    let numbers = (0..<(Int(arguments[2]) ?? 1)).map { isNew ? $0 : traffic.next() }
    let isDurable = arguments.last == "durable"
    let size = max(1, Int(arguments[3]) ?? 1)
    let batches = stride(from: 0, to: numbers.count, by: size).map { first in
      Set(numbers[first..<min(first + size, numbers.count)]).map { "user:\($0)" }
    }
    if arguments[0] == "raw" {
      let floor = try RawTable(path: arguments[1], survivesPowerLoss: isDurable)
      for batch in batches {
        try floor.transaction { for key in batch { try floor.put(key, value) } }
      }
    } else {
      let store = try Store(path: arguments[1])
      let bytes = try store.collection("people", codec: AnyBytesCodec())
      for batch in batches {
        let values = Dictionary(uniqueKeysWithValues: batch.map { ($0, value) })
        try await bytes.put(values, durability: isDurable ? .full : .normal)
      }
      try await store.close()
    }
  }
}
