public import FreshStore
internal import Strategies

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A store on its own file, with a clock and a network that the test controls.
public final class TemporaryStore: Sendable {
  /// The folder of the file.
  public let folder: TemporaryFolder
  /// The clock of every store opened here.
  public let clock: ManualClock
  /// The network of every store opened here.
  public let reachability: ScriptedReachability
  /// The store.
  public let store: Store
  private let configure: @Sendable (inout Configuration) -> Void

  /// Opens a store on a new file; `configure` changes its configuration first.
  public init(
    clock: ManualClock = ManualClock(),
    configure: @escaping @Sendable (inout Configuration) -> Void = { _ in }
  ) throws {
    let folder = try TemporaryFolder()
    let reachability = ScriptedReachability(.online)
    self.folder = folder
    self.clock = clock
    self.reachability = reachability
    self.configure = configure
    store = try Self.open(folder, clock, reachability, configure)
  }

  /// The path of the file.
  public var path: String { store.path }

  /// Opens the same file once more, as another process would.
  public func another() throws -> Store {
    try Self.open(folder, clock, reachability, configure)
  }

  /// Runs a test on a new store, closes it, and checks the whole file.
  ///
  /// The check covers the structure, by SQLite's own check, and the checksum of every record.
  ///
  /// - Throws: The error of `body`, or ``UnsoundStore`` when the file is damaged after it.
  public static func run<Result: Sendable>(
    clock: ManualClock = ManualClock(),
    configure: @escaping @Sendable (inout Configuration) -> Void = { _ in },
    _ body: (TemporaryStore) async throws -> Result
  ) async throws -> Result {
    let temporary = try TemporaryStore(clock: clock, configure: configure)
    let result = try await body(temporary)
    try await temporary.store.close()
    let again = try temporary.another()
    let check = try await again.check()
    try await again.close()
    guard check.isSound else { throw UnsoundStore(check: check) }
    return result
  }

  private static func open(
    _ folder: TemporaryFolder, _ clock: ManualClock, _ reachability: ScriptedReachability,
    _ configure: (inout Configuration) -> Void
  ) throws -> Store {
    var configuration = Configuration(reachability: reachability)
    configuration.clock = clock
    configure(&configuration)
    return try Store(path: folder.file("store.db"), configuration: configuration)
  }
}

/// A check after a test found damage.
public struct UnsoundStore: Error, CustomStringConvertible {
  /// The result of the check.
  public let check: CheckResult

  /// The result in words.
  public var description: String {
    "the store is damaged: \(check.findings.joined(separator: "; "))"
  }
}

/// A folder for one test, removed with its content when the last reference is gone.
public final class TemporaryFolder: Sendable {
  /// Its path.
  public let path: String

  /// Makes a folder, for its owner only, in the machine's folder for temporary files.
  public init() throws {
    let name = "freshstore-" + String(UInt64.random(in: .min ... .max), radix: 36)
    path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // A leftover in the folder for temporary files does no harm.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in it.
  public func file(_ name: String) -> String { path + "/" + name }
}
