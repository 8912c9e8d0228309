internal import BenchmarkKit
internal import ReadKit

/// The participants, each with all records, and the missing ones.
struct Field {
  let records: Int
  private(set) var peers: [any Peer] = []
  /// The participants that are left out, and the reasons.
  private(set) var leftOut: [String] = []
  private let readers: Readers

  init(records: Int, in place: Place) async throws {
    self.records = records
    let corpus = try Corpus(records: records)
    readers = try Readers(try await Library(records: records, in: place.url))
    peers = [
      try await FloorPeer(readers, corpus, in: place),
      try await FreshStorePeer(readers, corpus, in: place),
      try await GRDBPeer(corpus, in: place),
    ]
    await add("LMDB") { try await LMDBPeer(corpus, in: place) }
    await add("Redis") { try await RedisPeer(corpus, in: place) }
    await add("PostgreSQL") { try await PostgreSQLPeer(corpus, in: place) }
    await add("diskcache") {
      try await PythonPeer("diskcache", "diskcache_peer.py", records: records, in: place)
    }
    await add("requests-cache") {
      try await PythonPeer(
        "requests-cache", "requests_cache_peer.py", fillLimit: 10_000, records: records, in: place)
    }
  }

  func close() async throws {
    for peer in peers { try await peer.close() }
    try await readers.close()
  }

  /// A peer that may not be installed.
  private mutating func add(_ name: String, _ make: () async throws -> any Peer) async {
    do {
      peers.append(try await make())
    } catch {
      leftOut.append("\(name) (\(error))")
    }
  }
}
