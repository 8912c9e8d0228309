internal import BenchmarkKit
internal import Foundation
internal import Glibc
internal import ReadKit

/// PostgreSQL over loopback.
final class PostgreSQLPeer: Peer {
  private let corpus: Corpus
  private let traffic: [Traffic]
  private let server: Server
  private let connection: PostgreSQLConnection

  init(_ corpus: Corpus, in place: Place) async throws {
    self.corpus = corpus
    traffic = (0..<2).map { _ in Traffic(records: corpus.keys.count) }
    let library = try PostgreSQLLibrary()
    let (port, password, room) = (
      try LoopbackSocket.freePort(), UUID().uuidString, try place.room("postgresql")
    )
    let data = try PostgreSQLCluster.make(in: room, password: password)
    server = try Server(
      PostgreSQLCluster.asNobody([
        try PostgreSQLCluster.program("postgres"), "-D", data, "-p", "\(port)",
        "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
      ]), in: room)
    connection = try await Server.whenUp {
      try PostgreSQLConnection(library, port: port, password: password)
    }
    _ = try await fill.measure(corpus.keys.count)
  }

  var reads: [Entrant] {
    let contestant = Contestant("", answer: "bytes") { [self] turns in
      var sum = 0
      for _ in 0..<turns {
        // A missing record makes the sum negative, which ends the run.
        sum &+= (try? connection.length(of: traffic[0].next())) ?? -1_000_000_000_000
      }
      return sum
    }
    return [Entrant("PostgreSQL, bytes", contestant)]
  }

  var put: Entrant {
    Entrant("PostgreSQL", note: "synchronous_commit=off") { [self] turns in
      try await corpus.inTurns(turns, traffic[1]) { key, value in
        try connection.put(key, value)
      }
    }
  }

  var fill: Entrant {
    Entrant("PostgreSQL", note: "synchronous_commit=off; by COPY") { [self] count in
      try connection.begin()
      return try await corpus.inBatches(count) { batch in
        try connection.copy(batch.lazy.map { [corpus] in (corpus.keys[$0], corpus.values[$0]) })
      }
    }
  }

  func close() throws { try server.end() }
}
