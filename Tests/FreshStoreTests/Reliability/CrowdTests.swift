import ChildProcess
import Foundation
import FreshStore
import FreshStoreTesting
import Testing

/// Sixteen processes on one file, each with all operations. `FRESHSTORE_SECONDS` extends their work.
@Suite struct CrowdTests {
  private static var seconds: Int {
    ProcessInfo.processInfo.environment["FRESHSTORE_SECONDS"].flatMap { Int($0) } ?? 3
  }

  @Test func `a crowd loses no update, is served no marked value, and fetches each once`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    try await Store(path: path).close()
    let reports = try await withThrowingTaskGroup(of: [Int].self) { group in
      for number in 0..<16 {
        group.addTask {
          let process = try ChildProcess(
            beside: "StoreWorker", [path, "crowd", "\(number)", "\(Self.seconds)"])
          let words = await process.line()
          #expect(await process.end() == 0, "\(words)")
          return words.split(separator: " ").compactMap { Int($0) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    try #require(reports.allSatisfy { $0.count == 3 })
    let sums = (0..<3).map { column in reports.reduce(0) { $0 + $1[column] } }
    print("\(sums[0]) operations of 16 processes, \(sums[1]) marks, \(sums[2]) fetches")
    #expect(sums[1] > 0)
    // Each mark asks for one fetch at most, and each of the eight keys for a first one.
    #expect(sums[2] <= sums[1] + 8)
    let store = try Store(path: path)
    #expect(store.health.movedAside.isEmpty)
    let check = try await store.check()
    #expect(check.isSound, "\(check.findings)")
    try await store.close()
  }
}
