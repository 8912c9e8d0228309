internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Strategies

/// Those who read, in one process, each with a loop of its own.
struct Readers {
  private let floor: Floor
  private let warm: Store
  private let cold: Store
  let contestants: [Contestant]

  init(_ library: Library) throws {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.memory = .none
    let floor = try Floor(path: library.path)
    let cold = try Store(path: library.path, configuration: configuration)
    configuration.memory = MemoryLimits(records: 400_000, bytes: 1 << 30)
    let warm = try Store(path: library.path, configuration: configuration)
    let asked = Traffic(records: library.count).asked
    let traffic = (0..<6).map { _ in Traffic(records: library.count) }
    let inMemory = try warm.collection("people", of: Person.self)
    for key in asked { _ = try inMemory.read(key) }
    let typed = try cold.collection("people", of: Person.self)
    let bytes = try cold.collection("people", codec: AnyBytesCodec())
    contestants = [
      Contestant("floor: libsqlite3, bytes", answer: "bytes") { Self.floor(floor, traffic[0], $0) },
      Contestant("floor, then JSONDecoder", answer: "value") {
        Self.decoding(floor, traffic[1], $0)
      },
      Contestant("gate, in memory, typed", answer: "value") {
        Self.typed(inMemory, traffic[2], $0)
      },
      Contestant("gate, in memory, the value alone", answer: "value") {
        Self.value(inMemory, traffic[3], $0)
      },
      Contestant("gate, from the file, bytes", answer: "bytes") {
        Self.bytes(bytes, traffic[4], $0)
      },
      Contestant("gate, from the file, typed", answer: "value") {
        Self.typed(typed, traffic[5], $0)
      },
    ]
    (self.floor, self.warm, self.cold) = (floor, warm, cold)
  }

  func close() async throws {
    try await warm.close()
    try await cold.close()
  }

  private static func floor(_ floor: Floor, _ traffic: Traffic, _ turns: Int) -> Int {
    var sum = 0
    for _ in 0..<turns {
      unsafe sum &+= floor.read(traffic.next()) { bytes in bytes.count } ?? -1_000_000
    }
    return sum
  }

  private static func decoding(_ floor: Floor, _ traffic: Traffic, _ turns: Int) -> Int {
    var sum = 0
    let decoder = JSONDecoder()
    for _ in 0..<turns {
      let data = unsafe floor.read(traffic.next()) { bytes in unsafe Data(bytes) } ?? Data()
      // What does not decode makes the sum negative, which ends the run.
      sum &+= (try? decoder.decode(Person.self, from: data))?.id ?? -100_000_000
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
