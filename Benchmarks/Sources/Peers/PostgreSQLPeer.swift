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
    let data = try Self.makeCluster(in: room, password: password)
    server = try Server(
      Self.asNobody([
        try Self.program("postgres"), "-D", data, "-p", "\(port)",
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

  private static func program(_ name: String) throws -> String {
    let base = "/usr/lib/postgresql"
    // Where Debian has installed no versions there are none to look into.
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
    return try Server.program(name, in: versions.sorted().reversed().map { "\(base)/\($0)/bin" })
  }

  /// PostgreSQL does not run as root.
  private static func asNobody(_ command: [String]) -> [String] {
    guard getuid() == 0 else { return command }
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] + command
  }

  private static func makeCluster(in room: URL, password: String) throws -> String {
    let file = room.appending(path: "password").path
    try Data(password.utf8).write(to: URL(filePath: file))
    if getuid() == 0 {
      for path in [room.path, file] {
        try FileManager.default.setAttributes(
          [.ownerAccountName: "nobody", .posixPermissions: 0o700], ofItemAtPath: path)
      }
    }
    let process = Process()
    let command = asNobody([
      try program("initdb"), "-D", "\(room.path)/data", "-U", "peers", "-A", "scram-sha-256",
      "--pwfile", file, "--no-sync",
    ])
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = room
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure(words: "initdb ended with \(process.terminationStatus)")
    }
    return "\(room.path)/data"
  }
}
