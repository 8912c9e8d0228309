import Foundation
import FreshStoreTesting
import Platform
import Strategies
import Testing

@testable import FreshStore

/// The contents of an error: the operation, the record, the reason, and the remedy.
@Suite struct StoreErrorTests {
  @Test func `an error names the operation, record, file, cause, SQLite's words and the remedy`() {
    let error = StoreError(
      .full, .complete, collection: "notes", key: "a\u{1B}b", path: "/srv/a.db",
      sqlite: .init(code: 13, message: "database or disk is full", activity: "INSERT"))

    #expect(
      error.description
        == #"cannot finish fetching "a\u{1B}b" in collection "notes" (/srv/a.db): "#
        + "the disk or the store's size limit is full [SQLite 13: database or disk is full]; "
        + "free space, raise the limit, or prune the store")
  }

  @Test func `a prune that finds the disk full is not told to prune`() {
    #expect(
      StoreError(.full, .prune).description
        == "cannot prune: the disk or the store's size limit is full; "
        + "free space on its disk: what removes is written to the log first, too")
  }

  @Test func `unknown details are left out`() {
    #expect(
      StoreError(.closed, .due).description == "cannot look into the queue: the store is closed")
  }

  private static let holder = SweepHolder(
    process: 7, name: "cron", since: Timestamp(millisecondsSinceEpoch: 0))

  @Test(arguments: [
    (StoreError.Code.newerSchema(found: 9, supported: 3), "schema 9, this program knows up to 3"),
    (.unsupportedSQLite(found: "3.31.1"), "SQLite 3.31.1 is too old"),
    (.writesLost(file: "/a", writes: 2), #"moved to "/a"; 2 of its local writes cannot be read"#),
    (.writesLost(file: "/a", writes: nil), #"moved to "/a"; its local writes cannot be read"#),
    (.valueTooLarge(bytes: 12, limit: 10), "the value has 12 bytes, more than the limit of 10"),
    (.notEncodable("no number"), "the value cannot be encoded: no number"),
    (.invalidArgument("a limit is positive"), "a limit is positive"),
    (.busy(holder: nil), "another connection held the lock for too long;"),
    (.busy(holder: "cron"), "another connection held the lock for too long (cron);"),
    (.sweepUnderWay(nil), "another sweep is under way;"),
    (.sweepUnderWay(holder), "another sweep is under way (\(holder));"),
    (.notAnExport("line 3"), "the input is not what freshstore export writes: line 3"),
  ])
  func `an error describes its cause`(_ code: StoreError.Code, _ words: String) {
    #expect(StoreError(code, .open).description.contains(words))
  }

  @Test(arguments: [
    StoreError.Code.folderMissing, .notAFile, .notADatabase, .foreignDatabase,
    .foreignObject(kind: "view", name: "v"), .writesMissing(mark: "/a.db-outbox"),
    .newerSchema(found: 2, supported: 1), .readOnly, .cannotOpen, .unsupportedSQLite(found: "3.1"),
    .writesLost(file: "/a", writes: nil), .valueTooLarge(bytes: 2, limit: 1), .busy(holder: nil),
    .sweepUnderWay(nil), .full, .inputOutput, .damaged, .wiped, .pendingWrite, .changedMeanwhile,
    .beingPushed, .forked, .alreadyExists,
  ])
  func `an error with a remedy states it`(_ code: StoreError.Code) throws {
    let words = StoreError(code, .open).description
    let advice = try #require(code.advice)
    #expect(words.hasSuffix("; \(advice)"))
  }

  @Test(arguments: [
    StoreError.Code.notADatabase, .foreignDatabase, .foreignObject(kind: "table", name: "t"),
    .newerSchema(found: 2, supported: 1), .alreadyExists,
  ])
  func `the error about a refused file says that the file is untouched`(_ code: StoreError.Code) {
    #expect(StoreError(code, .open).description.contains("it was left untouched"))
  }

  @Test func `an object of another program is named with what ends it`() {
    let words = StoreError(.foreignObject(kind: "view", name: "a \"b"), .open).description
    #expect(words.contains("by DROP VIEW \"a \"\"b\""))
    let table = StoreError(.foreignObject(kind: "table", name: "notes"), .open).description
    #expect(table.contains("move that table") && !table.contains("DROP"))
  }

  /// The obstacles that keep a file from being opened.
  enum Obstacle: CaseIterable {
    case longPath, circle, nowhere, closedFile

    func make(_ folder: TemporaryFolder) throws -> String {
      switch self {
      case .longPath:
        var path = folder.path
        for _ in 0..<4 { path += "/" + String(repeating: "a", count: 120) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path + "/" + String(repeating: "b", count: 60)
      case .circle:
        let (first, second) = (folder.file("a"), folder.file("b"))
        try FileManager.default.createSymbolicLink(atPath: first, withDestinationPath: second)
        try FileManager.default.createSymbolicLink(atPath: second, withDestinationPath: first)
        return first
      case .nowhere: return folder.file("none")
      case .closedFile:
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.file("c")))
        _ = unsafe chmod(folder.file("c"), 0)
        return folder.file("c")
      }
    }

    var words: String {
      switch self {
      case .longPath: "name a shorter path: this one has "
      case .circle: "its links lead in a circle"
      case .nowhere: "there is no such file"
      case .closedFile: "chmod u+rw"
      }
    }
  }

  @Test(arguments: Obstacle.allCases.filter { $0 != .closedFile || geteuid() != 0 })
  func `a file that cannot be opened is told with what helps there`(_ obstacle: Obstacle) throws {
    let folder = try TemporaryFolder()
    let path = try obstacle.make(folder)
    var configuration = Configuration(reachability: .fixed(.online))
    if obstacle != .longPath { configuration.access = .readOnly }
    let chosen = configuration
    let failure = #expect(throws: StoreError.self) {
      try Store(path: path, configuration: chosen)
    }
    #expect(failure?.description.contains(obstacle.words) == true, "\(String(describing: failure))")
  }
}
