internal import BenchmarkKit
internal import Foundation
internal import NIOCore
internal import NIOPosix

/// An origin on one thread of its own, in a process of its own.
enum Origin {
  /// Listens, and serves until the process is ended.
  static func run(on port: Int) async throws {
    let answers = OriginAnswers()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    try await OneThreadServer.run(on: port, group) { try $0.addHandler(OriginHandler(answers)) }
    try await group.shutdownGracefully()
  }

  /// How often the origin on a port was asked for content.
  static func requests(of port: UInt16) throws -> Int {
    let answer = try Request.get("/count", on: port)
    guard let count = Int(String(decoding: answer.content, as: UTF8.self)) else {
      throw BenchmarkFailure(words: "the origin does not know how often it was asked")
    }
    return count
  }
}
