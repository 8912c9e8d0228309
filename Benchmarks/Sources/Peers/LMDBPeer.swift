internal import BenchmarkKit
internal import Foundation
internal import ReadKit

/// LMDB: bytes in a file that is mapped into memory.
final class LMDBPeer: Peer {
  private let library: LMDBLibrary
  private let corpus: Corpus
  private let place: Place
  private let traffic: [Traffic]
  private var file: LMDBFile
  private var folder: URL

  init(_ corpus: Corpus, in place: Place) async throws {
    (self.corpus, self.place) = (corpus, place)
    library = try LMDBLibrary()
    traffic = (0..<3).map { _ in Traffic(records: corpus.keys.count) }
    folder = try place.room("lmdb")
    file = try LMDBFile(library, in: folder.path)
    _ = try await fill.measure(corpus.keys.count)
  }

  var reads: [Entrant] {
    [
      Entrant("LMDB, bytes", Contestant("", answer: "bytes") { [self] turns in bytes(turns) }),
      Entrant(
        "LMDB, then JSONDecoder",
        Contestant("", answer: "value") { [self] turns in values(turns) }),
    ]
  }

  var put: Entrant {
    Entrant("LMDB", note: "nosync: a power cut may damage the file") { [self] turns in
      try await corpus.inTurns(turns, traffic[2]) { key, value in
        try file.write { transaction in try file.put(key, value, transaction) }
      }
    }
  }

  var fill: Entrant {
    Entrant("LMDB", note: put.note) { [self] count in
      try begin()
      return try await corpus.inBatches(count) { batch in
        try file.write { transaction in
          for number in batch {
            try file.put(corpus.keys[number], corpus.values[number], transaction)
          }
        }
      }
    }
  }

  func close() {}

  private func bytes(_ turns: Int) -> Int {
    var sum = 0
    for _ in 0..<turns {
      // The last byte must be read: until then, nothing comes from the file.
      unsafe sum &+= file.read(traffic[0].next()) { bytes in unsafe Int(bytes[bytes.count - 1]) }
    }
    return sum
  }

  private func values(_ turns: Int) -> Int {
    var sum = 0
    let decoder = JSONDecoder()
    for _ in 0..<turns {
      unsafe sum &+= file.read(traffic[1].next()) { bytes in
        // A record that does not decode makes the sum negative, which ends the run.
        (try? decoder.decode(Person.self, from: unsafe Data(bytes)))?.id ?? -1_000_000_000_000
      }
    }
    return sum
  }

  private func begin() throws {
    let new = try place.room("lmdb")
    file = try LMDBFile(library, in: new.path)
    try FileManager.default.removeItem(at: folder)
    folder = new
  }
}
