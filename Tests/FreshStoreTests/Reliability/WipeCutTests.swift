import ChildProcess
import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// A wipe ends at any moment, with its process or with the power: all content is there, or none of it,
/// and another wipe completes it. Once a wipe has reported success, no byte of it is left.
///
/// `FRESHSTORE_CUTS` sets the number of moments.
@Suite(.timeLimit(.minutes(5))) struct WipeCutTests {
  /// Part of every text and value that the tests store.
  private static let secret = "SECRET"

  private static var cuts: Int {
    ProcessInfo.processInfo.environment["FRESHSTORE_CUTS"].flatMap { Int($0) } ?? 30
  }

  // MARK: The content

  /// Stores secrets, some of which stay behind in freed pages.
  private func fill(_ store: Store) async throws {
    let notes = try store.collection("notes", of: String.self)
    for number in 0..<20 {
      try await notes.put(
        String(repeating: "SECRET value ", count: 1 + number * 40), for: "SECRET \(number)",
        details: FetchDetails(tags: ["SECRET tag"]))
    }
    for number in 0..<5 { try await notes.remove("SECRET \(number)") }
    _ = try await notes.follow("SECRET list") { _ in
      .full(["SECRET 8": .value("SECRET listed", FetchDetails())], cursor: "SECRET cursor")
    }
    try await store.hold("https://held.example", because: "SECRET hold")
    try await notes.write("SECRET write", for: "SECRET 9")
  }

  /// All that a caller can see of the content, line by line.
  private func contents(of store: Store) throws -> [String] {
    let notes = try store.collection("notes", of: String.self)
    var lines: [String] = []
    for entry in try store.list(limit: 1000) {
      lines.append("\(entry.key): \(try notes.value(entry.key) ?? "-")")
    }
    for write in try store.outbox(limit: 1000) { lines.append("\(write.id) \(write.key)") }
    lines += try notes.members(of: "SECRET list").sorted()
    lines += try store.holds().values.filter { $0 != Storage.wipedWhileHeld }
    return lines
  }

  private static func holdsSecret(_ bytes: [UInt8]) -> Bool {
    Data(bytes).range(of: Data(secret.utf8)) != nil
  }

  // MARK: A recorded wipe

  /// A wipe, call by call.
  private struct Wipe {
    /// The files before the first event.
    let files: [String: [UInt8]]
    let events: [RecordingDisk.Event]
    /// The number of events before it began.
    let start: Int
    /// The contents that the wipe removes.
    let contents: [String]
  }

  private func open(_ folder: TemporaryFolder) throws -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.clock = ManualClock()
    configuration.fileSystem = DiskFileSystem.name
    return try Store(path: folder.file("store.db"), configuration: configuration)
  }

  /// The names of the files in a folder, and their bytes; no store may have them open.
  private func files(in folder: TemporaryFolder) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let path = folder.file(name)
      files[path] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    return files
  }

  private func wipe(on disk: RecordingDisk) async throws -> Wipe {
    let place = try DiskFolder(disk)
    let first = try open(place.folder)
    try await fill(first)
    try await first.close()
    let files = try files(in: place.folder)
    let opened = disk.events.count
    let store = try open(place.folder)
    // In the log when the wipe begins.
    try await store.collection("notes", of: String.self).write("SECRET", for: "SECRET new")
    let (start, contents) = (disk.events.count, try contents(of: store))
    try await store.wipe()
    disk.acknowledge(steps: 1, isDurable: true)
    let events = Array(disk.events[opened...])
    try await store.close()
    return Wipe(files: files, events: events, start: start - opened, contents: contents)
  }

  /// The fault of the store after a cut; `nil` when there is none.
  private func complaint(about wipe: Wipe, cut: Int, _ end: Ledger.End) async throws -> String? {
    var powerCut = PowerCut(
      wipe.events, after: cut, files: wipe.files, seed: UInt64(cut), end: end)
    let left = try DiskFolder()
    for (path, bytes) in powerCut.image() {
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      try Data(bytes).write(to: URL(fileURLWithPath: left.file(name)))
    }
    let store = try open(left.folder)
    guard store.health.movedAside.isEmpty else { return "damaged" }
    let found = try contents(of: store)
    guard found == wipe.contents || found.isEmpty else { return "a half is left: \(found)" }
    try await store.wipe()
    guard try contents(of: store).isEmpty else { return "another wipe did not complete it" }
    let check = try await store.check()
    guard check.isSound else { return "\(check.findings)" }
    try await store.close()
    let unclean = try files(in: left.folder).filter { Self.holdsSecret($0.value) }.keys
    return unclean.isEmpty ? nil : "another wipe left bytes in \(unclean.sorted())"
  }

  @Test(arguments: [Ledger.End.kill, .powerCut])
  func `a wipe that is cut short leaves all or nothing, and another one completes it`(
    _ end: Ledger.End
  ) async throws {
    let wipe = try await wipe(on: RecordingDisk())
    let (first, last) = (wipe.start, wipe.events.count)
    #expect(first < last && !wipe.contents.isEmpty)
    for cut in stride(from: first, through: last, by: max(1, (last - first) / Self.cuts)) {
      let complaint = try await complaint(about: wipe, cut: cut, end)
      #expect(complaint == nil, "\(end), event \(cut)")
    }
  }

  /// The seeds of power cuts after which a byte of the content is left in a file.
  private func seedsWithRemains(of wipe: Wipe) -> [UInt64] {
    (1...UInt64(Self.cuts)).filter { seed in
      var cut = PowerCut(wipe.events, after: wipe.events.count, files: wipe.files, seed: seed)
      return cut.image().values.contains(where: Self.holdsSecret)
    }
  }

  @Test func `no power cut brings a byte back once a wipe has reported success`() async throws {
    let wipe = try await wipe(on: RecordingDisk())
    #expect(wipe.files.values.contains(where: Self.holdsSecret))
    #expect(seedsWithRemains(of: wipe).isEmpty)
  }

  @Test func `a disk that lies about what is synced brings some back, so the cuts are real ones`()
    async throws
  {
    let wipe = try await wipe(on: RecordingDisk(lies: true))
    #expect(!seedsWithRemains(of: wipe).isEmpty)
  }

  // MARK: A killed process

  @Test(arguments: 0..<10)
  func `a process that is killed in a wipe leaves all or nothing to one that goes on`(
    round: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let configuration = Configuration(reachability: .fixed(.online))
    let store = try Store(path: folder.file("store.db"), configuration: configuration)
    try await fill(store)
    let before = try contents(of: store)
    let wiper = try ChildProcess(beside: "StoreWorker", [store.path])
    let ready = await wiper.line()
    try wiper.say("wipe")
    let begun = await wiper.line()
    // Another moment in each round.
    for _ in 0..<round * 5 { _ = try store.list(limit: 1000) }
    wiper.signal(SIGKILL)
    let status = await wiper.end()

    let after = try contents(of: store)
    #expect(ready == "ready" && begun == "wiping" && status == 128 + SIGKILL)
    #expect(after == before || after.isEmpty)

    try await store.wipe()
    let remains = try await folder.files(with: Self.secret)
    #expect(remains.isEmpty)
    #expect(try contents(of: store).isEmpty)
    #expect(try await store.check().isSound)
    try await store.close()
  }
}
