internal import BenchmarkKit
internal import Foundation

/// The parts of the benchmark share this: the folder, the origin and the caches that are compared.
struct Grounds {
  let isQuick: Bool
  let folder: URL
  let processors = Processors()
  let origin: RunningServer
  let freshStore: FreshStoreCache
  /// All of them, ours first.
  let caches: [any Cache]
  /// Why others are not among them.
  let missing: [String]

  init(isQuick: Bool) async throws {
    guard let path = ProcessInfo.processInfo.environment["GATEWAY_WORK"] else {
      throw Self.unprepared
    }
    self.isQuick = isQuick
    folder = URL(filePath: path)
    freshStore = try FreshStoreCache()
    var (caches, missing): ([any Cache], [String]) = ([freshStore], [])
    let others: [any Cache.Type] = [
      NginxCache.self, VarnishCache.self, ApacheDiskCache.self, ApacheSharedCache.self,
    ]
    for other in others {
      do {
        caches.append(try other.init())
      } catch {
        missing.append("not measured: \(error)")
      }
    }
    (self.caches, self.missing) = (caches, missing)
    origin = try await Self.start("the origin", "origin", in: folder, processors.loading)
  }

  static let unprepared = BenchmarkFailure(
    words: "run scripts/benchmark gateway: it builds what is measured")

  /// The floor: the origin once more, on the processor of the servers.
  func startFloor() async throws -> RunningServer {
    try await Self.start("a bare handler of SwiftNIO", "origin", in: folder, processors.serving)
  }

  /// The floor of misses.
  func startForwarder() async throws -> RunningServer {
    try await Self.start(
      "SwiftNIO and async-http-client alone", "forward", ["\(origin.port)"], in: folder,
      processors.serving)
  }

  /// A site of its own for a cache.
  func site() throws -> Site {
    Site(
      folder: try Self.makeFolder(in: folder), port: try LoopbackSocket.freePort(),
      origin: origin.port)
  }

  /// Starts a cache where it may have served before.
  func start(_ cache: any Cache, at site: Site) async throws -> RunningServer {
    try await RunningServer(
      cache.name, processors.serving + cache.command(at: site), in: site.folder, on: site.port)
  }

  /// Load of so many connections, for so long; shorter in a smoke run.
  func load(connections: Int, seconds: Int) throws -> Load {
    try Load(connections: connections, seconds: isQuick ? 1 : seconds, processors, in: folder)
  }

  /// Starts this program once more, as a server.
  private static func start(
    _ name: String, _ part: String, _ arguments: [String] = [], in folder: URL,
    _ processor: [String]
  ) async throws -> RunningServer {
    let port = try LoopbackSocket.freePort()
    let program = "/proc/\(ProcessInfo.processInfo.processIdentifier)/exe"
    return try await RunningServer(
      name, processor + [program, part, "\(port)"] + arguments, in: try makeFolder(in: folder),
      on: port)
  }

  private static func makeFolder(in folder: URL) throws -> URL {
    let made = folder.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    return made
  }
}
