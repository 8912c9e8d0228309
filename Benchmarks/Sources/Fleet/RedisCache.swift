internal import BenchmarkKit
internal import Foundation
internal import Glibc

/// Redis as a cache that hosts share: get, then set, with an expiry. It keeps no host from fetching
/// the values that another host fetches, and tells no host of changes.
final class RedisCache {
  private let connection: RedisConnection

  private init(_ connection: RedisConnection) { self.connection = connection }

  /// Starts a server of the benchmark's own with these values; `nil` where it is not installed.
  static func start(
    in folder: URL, _ keys: [String], _ values: [[UInt8]]
  ) async throws -> (server: Server, cache: RedisCache)? {
    // A measurement without Redis says so.
    guard let program = try? Server.program("redis-server") else { return nil }
    let (port, password) = (try LoopbackSocket.freePort(), UUID().uuidString)
    let room = folder.appending(path: "redis")
    try FileManager.default.createDirectory(at: room, withIntermediateDirectories: true)
    let file = room.appending(path: "redis.conf")
    let settings = """
      bind 127.0.0.1
      port \(port)
      requirepass \(password)
      save ""
      appendonly no
      """
    try Data(settings.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let server = try Server([program, file.path], in: room)
    let cache = RedisCache(
      try await Server.whenUp { try RedisConnection(port: port, password: password) })
    for (key, value) in zip(keys, values) { try cache.set(key, value) }
    return (server, cache)
  }

  /// The length of a value; `nil` without one.
  func length(of key: String) throws -> Int? {
    connection.add("GET", Array(key.utf8))
    try connection.send()
    return try connection.answer()
  }

  func set(_ key: String, _ value: [UInt8]) throws {
    connection.add("SET", Array(key.utf8), value, Array("EX".utf8), Array("86400".utf8))
    try connection.send()
    _ = try connection.answer()
  }
}
