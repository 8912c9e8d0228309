internal import BenchmarkKit
internal import Foundation
internal import ReadKit

/// libsqlite3 alone: reads of the store's own file, writes to the smallest equivalent table.
final class FloorPeer: Peer {
  private let corpus: Corpus
  private let place: Place
  private let traffic: Traffic
  private var table: FloorTable
  private var folder: URL
  let reads: [Entrant]

  init(_ readers: Readers, _ corpus: Corpus, in place: Place) async throws {
    (self.corpus, self.place) = (corpus, place)
    traffic = Traffic(records: corpus.keys.count)
    folder = try place.room("floor")
    table = try FloorTable(path: folder.appending(path: "floor.db").path)
    reads = [
      Entrant("floor: libsqlite3, bytes", readers.floor),
      Entrant("floor, then JSONDecoder", readers.decoding),
    ]
    _ = try await fill.measure(corpus.keys.count)
  }

  var put: Entrant {
    Entrant("floor: libsqlite3", note: "WAL, synchronous=NORMAL") { [self] turns in
      try await corpus.inTurns(turns, traffic) { key, value in try table.put(key, value) }
    }
  }

  var fill: Entrant {
    Entrant("floor: libsqlite3", note: "WAL, synchronous=NORMAL") { [self] records in
      try begin()
      return try await corpus.inBatches(records) { batch in
        try table.inTransaction {
          for number in batch { try table.put(corpus.keys[number], corpus.values[number]) }
        }
      }
    }
  }

  func close() {}

  private func begin() throws {
    let new = try place.room("floor")
    table = try FloorTable(path: new.appending(path: "floor.db").path)
    try FileManager.default.removeItem(at: folder)
    folder = new
  }
}
