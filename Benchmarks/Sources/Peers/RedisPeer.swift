internal import BenchmarkKit
internal import Foundation
internal import ReadKit

/// Redis over loopback, with its own expiry at every key.
final class RedisPeer: Peer {
  private let corpus: Corpus
  private let traffic: [Traffic]
  private let server: Server
  private let connection: RedisConnection

  init(_ corpus: Corpus, in place: Place) async throws {
    self.corpus = corpus
    traffic = (0..<2).map { _ in Traffic(records: corpus.keys.count) }
    let program = try Server.program("redis-server")
    let (port, password, room) = (
      try LoopbackSocket.freePort(), UUID().uuidString, try place.room("redis")
    )
    let settings = """
      bind 127.0.0.1
      port \(port)
      requirepass \(password)
      save ""
      appendonly yes
      appendfsync everysec
      """
    let file = room.appending(path: "redis.conf")
    try Data(settings.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    server = try Server([program, file.path], in: room)
    connection = try await Server.whenUp {
      try RedisConnection(port: port, password: password)
    }
    _ = try await fill.measure(corpus.keys.count)
  }

  var reads: [Entrant] {
    let contestant = Contestant("", answer: "bytes") { [self] turns in
      var sum = 0
      for _ in 0..<turns {
        // A missing record makes the sum negative, which ends the run.
        sum &+= (try? length(of: traffic[0].next())) ?? -1_000_000_000_000
      }
      return sum
    }
    return [Entrant("Redis, bytes", contestant)]
  }

  var put: Entrant {
    Entrant("Redis", note: Self.durability) { [self] turns in
      try await corpus.inTurns(turns, traffic[1]) { key, value in
        add(key, value)
        try connection.send()
        _ = try connection.answer()
      }
    }
  }

  var fill: Entrant {
    Entrant("Redis", note: Self.durability) { [self] count in
      connection.add("FLUSHALL")
      try connection.send()
      _ = try connection.answer()
      return try await corpus.inBatches(count) { batch in
        for number in batch { add(corpus.keys[number], corpus.values[number]) }
        try connection.send()
        for _ in batch { _ = try connection.answer() }
      }
    }
  }

  func close() throws { try server.end() }

  private static let durability = "appendonly, fsync every second"

  private func length(of key: String) throws -> Int? {
    connection.add("GET", Array(key.utf8))
    try connection.send()
    return try connection.answer()
  }

  private func add(_ key: String, _ value: [UInt8]) {
    connection.add("SET", Array(key.utf8), value, Array("EX".utf8), Array("86400".utf8))
  }
}
