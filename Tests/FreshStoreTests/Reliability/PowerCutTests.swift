import Foundation
import FreshStoreTesting
import Testing

@testable import FreshStore

/// The power fails at any moment of a hundred random operations; the disk keeps all synced data, and
/// any part of the rest. The remaining state is that after some number of the operations, including all
/// that were acknowledged as surviving a power cut.
///
/// `FRESHSTORE_SEED` repeats one run, `FRESHSTORE_CUTS` sets the number of cuts.
@Suite struct PowerCutTests {
  private static var seeds: [UInt64] {
    let given = ProcessInfo.processInfo.environment["FRESHSTORE_SEED"].flatMap { UInt64($0) }
    return given.map { [$0] } ?? [1, 2, 3, 4]
  }

  private static var cuts: Int {
    ProcessInfo.processInfo.environment["FRESHSTORE_CUTS"].flatMap { Int($0) } ?? 30
  }

  @Test(arguments: seeds) func `after a power cut the store is as some operation left it`(
    _ seed: UInt64
  ) async throws {
    let complaints = try await complaints(seed, RecordingDisk(), cuts: Self.cuts)
    #expect(complaints.isEmpty)
  }

  @Test func `a disk that lies about what is synced loses operations, so the cuts are real ones`()
    async throws
  {
    let complaints = try await complaints(1, RecordingDisk(lies: true), cuts: 20)
    #expect(!complaints.isEmpty)
  }

  /// The errors after cuts at random moments of a hundred steps.
  private func complaints(
    _ seed: UInt64, _ disk: RecordingDisk, cuts: Int
  ) async throws -> [String] {
    let place = try DiskFolder(disk)
    let folder = place.folder
    try await Store(path: folder.file("store.db")).close()
    let before = try files(of: folder)
    var model = try StoreModel(seed: seed, in: folder, fileSystem: DiskFileSystem.name)
    var oracles = [model.oracle]
    var names: [String] = []
    for step in 1...100 {
      names.append(try await model.step())
      oracles.append(model.oracle)
      disk.acknowledge(steps: step, isDurable: model.wasDurable)
    }
    try await model.store.close()

    var generator = SeededGenerator(seed: seed)
    let events = disk.events
    var complaints: [String] = []
    for round in 0..<cuts {
      let cut = Int.random(in: 0...events.count, using: &generator)
      var powerCut = PowerCut(events, after: cut, files: before, seed: generator.next())
      let left = try DiskFolder()
      for (path, bytes) in powerCut.image() {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        try Data(bytes).write(to: URL(fileURLWithPath: left.file(name)))
      }
      let known = powerCut.acknowledged
      let last = min(known.steps + 1, oracles.count - 1)
      let found = try await complaint(
        left.folder, model, oracles, from: known.durable, through: last)
      if let found {
        complaints.append(
          "seed \(seed), round \(round), event \(cut): \(found), after \(names[..<last])")
      }
    }
    return complaints
  }

  private func files(of folder: TemporaryFolder) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let path = folder.file(name)
      files[path] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    return files
  }

  /// The error in the remaining files; `nil` when they are the result of some number of steps.
  private func complaint(
    _ folder: TemporaryFolder, _ model: StoreModel, _ oracles: [Oracle], from first: Int,
    through last: Int
  ) async throws -> String? {
    var again = try StoreModel(like: model, in: folder)
    guard again.store.health.movedAside.isEmpty else { return "damaged" }
    let check = try await again.store.check()
    guard check.isSound else { return "\(check.findings)" }
    var difference: String?
    for steps in (first...last).reversed() {
      again.oracle = oracles[steps]
      // The present state of the network answers for all of them.
      again.oracle.isOffline = model.oracle.isOffline
      difference = try again.difference(fully: true)
      guard difference != nil else { break }
    }
    try await again.store.close()
    return difference.map { "\($0); none of the steps \(first) to \(last) left that" }
  }
}
