internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import ReadKit
internal import Strategies

/// FreshStore itself, behind its standard chain of four strategies.
final class FreshStorePeer: Peer {
  private let corpus: Corpus
  private let place: Place
  private let traffic: Traffic
  private var store: Store
  private var records: RecordCollection<[UInt8]>
  private var folder: URL
  private let details = FetchDetails(expiry: .after(.seconds(86_400)))
  let reads: [Entrant]

  init(_ readers: Readers, _ corpus: Corpus, in place: Place) async throws {
    (self.corpus, self.place) = (corpus, place)
    traffic = Traffic(records: corpus.keys.count)
    (store, records, folder) = try Self.open(in: place)
    reads = [
      Entrant("\(Self.name), in memory", readers.inMemory),
      Entrant("\(Self.name), in memory, the value alone", readers.value),
      Entrant("\(Self.name), from the file", readers.typed),
      Entrant("\(Self.name), from the file, bytes", readers.bytes),
    ]
    _ = try await fill.measure(corpus.keys.count)
  }

  /// The beginning of the names of its ways to read.
  static let name = "FreshStore"

  var put: Entrant {
    Entrant(Self.name, note: "WAL, synchronous=NORMAL") { [self] turns in
      try await corpus.inTurns(turns, traffic) { key, value in
        try await records.put(value, for: key, details: details, durability: .normal)
      }
    }
  }

  var fill: Entrant {
    Entrant(Self.name, note: "WAL, synchronous=NORMAL") { [self] count in
      try await begin()
      return try await corpus.inBatches(count) { batch in
        var values: [String: [UInt8]] = [:]
        for number in batch { values[corpus.keys[number]] = corpus.values[number] }
        try await records.put(values, details: details, durability: .normal)
      }
    }
  }

  func close() async throws { try await store.close() }

  private func begin() async throws {
    try await store.close()
    try FileManager.default.removeItem(at: folder)
    (store, records, folder) = try Self.open(in: place)
  }

  private static func open(
    in place: Place
  ) throws -> (Store, RecordCollection<[UInt8]>, URL) {
    let folder = try place.room("freshstore")
    let store = try Store(
      path: folder.appending(path: "store.db").path,
      configuration: Configuration(reachability: .fixed(.online)))
    return (store, try store.bytes("people"), folder)
  }
}
