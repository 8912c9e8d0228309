import Foundation
import FreshStoreTesting
import Testing

@testable import FreshStore

/// The disk fails at the first call, at the second, and so on, until the work ends before the failure:
/// no acknowledged write is lost, nothing is torn, and no process is locked out.
///
/// `FRESHSTORE_STRIDE=1` has every call fail, otherwise every seventh does, with another start in each
/// run.
@Suite struct DiskTroubleTests {
  private static var stride: Int {
    ProcessInfo.processInfo.environment["FRESHSTORE_STRIDE"].flatMap { Int($0) } ?? 7
  }

  @Test(arguments: Fault.Trouble.allCases, [false, true])
  func `a disk that fails at any call loses no acknowledged write`(
    trouble: Fault.Trouble, lasts: Bool
  ) async throws {
    let template = try await template()
    let first = Int.random(in: 1...Self.stride)
    var rounds = 0
    for number in Swift.stride(from: first, to: 100_000, by: Self.stride) {
      let fault = Fault(trouble: trouble, number: number, lasts: lasts)
      let work = try await round(fault, template)
      #expect(work.wrong.isEmpty, "\(trouble), call \(number), lasts: \(lasts)")
      rounds += 1
      if work.isUntroubled { break }
    }
    #expect(rounds > 1)
  }

  private struct Round {
    let wrong: [String]
    let isUntroubled: Bool
  }

  private func round(_ fault: Fault, _ template: TemporaryFolder) async throws -> Round {
    let disk = FaultyDisk()
    let folder = try DiskFolder(disk)
    let path = folder.file("store.db")
    try FileManager.default.copyItem(atPath: template.file("store.db"), toPath: path)
    var work = TroubledWork(path: path, clock: ManualClock())
    disk.set(fault)
    await work.run()
    let failures = disk.failures
    disk.set(nil)
    try await work.verify()
    return Round(wrong: work.wrong, isUntroubled: failures == 0)
  }

  /// An empty store, so that not every round creates one.
  private func template() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("store.db"))
    try await store.close()
    return folder
  }
}
