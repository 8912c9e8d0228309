public import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Strategies

/// The readers of one library, in one process, each with a loop of its own.
public struct Readers {
  /// libsqlite3 alone, which lends bytes.
  public let floor: Contestant
  /// The same, then JSONDecoder.
  public let decoding: Contestant
  /// `read` from memory.
  public let inMemory: Contestant
  /// `servableValue` from memory.
  public let value: Contestant
  /// `read` of bytes from the file.
  public let bytes: Contestant
  /// `read` of values from the file.
  public let typed: Contestant
  private let stores: [Store]

  /// Opens the library for each of them; the requested records are in memory where it keeps any.
  public init(_ library: Library) throws {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.memory = .none
    let cold = try Store(path: library.path, configuration: configuration)
    configuration.memory = MemoryLimits(records: 400_000, bytes: 1 << 30)
    let warm = try Store(path: library.path, configuration: configuration)
    stores = [cold, warm]
    let traffic = (0..<6).map { _ in Traffic(records: library.count) }
    let floors = try (0..<2).map { _ in try Floor(path: library.path) }
    let kept = try warm.collection("people", of: Person.self)
    for key in Set(traffic[0].order) { _ = try kept.read(key) }
    let people = try cold.collection("people", of: Person.self)
    let raw = try cold.collection("people", codec: AnyBytesCodec())
    floor = Contestant("floor: libsqlite3, bytes", answer: "bytes") {
      Self.floor(floors[0], traffic[0], $0)
    }
    decoding = Contestant("floor, then JSONDecoder", answer: "value") {
      Self.decoding(floors[1], traffic[1], $0)
    }
    inMemory = Contestant("gate, in memory, typed", answer: "value") {
      Self.typed(kept, traffic[2], $0)
    }
    value = Contestant("gate, in memory, the value alone", answer: "value") {
      Self.value(kept, traffic[3], $0)
    }
    bytes = Contestant("gate, from the file, bytes", answer: "bytes") {
      Self.bytes(raw, traffic[4], $0)
    }
    typed = Contestant("gate, from the file, typed", answer: "value") {
      Self.typed(people, traffic[5], $0)
    }
  }

  /// All of them.
  public var contestants: [Contestant] { [floor, decoding, inMemory, value, bytes, typed] }

  /// Closes the stores.
  public func close() async throws {
    for store in stores { try await store.close() }
  }

  private static func floor(_ floor: Floor, _ traffic: Traffic, _ turns: Int) -> Int {
    var sum = 0
    for _ in 0..<turns {
      unsafe sum &+= floor.read(traffic.next()) { bytes in bytes.count }
    }
    return sum
  }

  private static func decoding(_ floor: Floor, _ traffic: Traffic, _ turns: Int) -> Int {
    var sum = 0
    let decoder = JSONDecoder()
    for _ in 0..<turns {
      unsafe sum &+= floor.read(traffic.next()) { bytes in
        // A record that does not decode makes the sum negative, which ends the run.
        (try? decoder.decode(Person.self, from: unsafe Data(bytes)))?.id ?? -1_000_000_000_000
      }
    }
    return sum
  }

  private static func typed(
    _ people: RecordCollection<Person>, _ traffic: Traffic, _ turns: Int
  ) -> Int {
    var sum = 0
    for _ in 0..<turns {
      // As above.
      guard case .fresh(let copy)? = try? people.read(traffic.next()) else { return -1 }
      sum &+= copy.value.id
    }
    return sum
  }

  private static func value(
    _ people: RecordCollection<Person>, _ traffic: Traffic, _ turns: Int
  ) -> Int {
    var sum = 0
    for _ in 0..<turns {
      // As above.
      guard let person = try? people.servableValue(traffic.next()) else { return -1 }
      sum &+= person.id
    }
    return sum
  }

  private static func bytes(
    _ people: RecordCollection<[UInt8]>, _ traffic: Traffic, _ turns: Int
  ) -> Int {
    var sum = 0
    for _ in 0..<turns {
      // As above.
      guard case .fresh(let copy)? = try? people.read(traffic.next()) else { return -1 }
      sum &+= copy.value.count
    }
    return sum
  }
}
