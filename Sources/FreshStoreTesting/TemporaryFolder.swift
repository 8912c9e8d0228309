#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A folder for one test, removed with everything in it when the last reference is gone.
public final class TemporaryFolder: Sendable {
  /// Its path.
  public let path: String

  /// Makes a folder, for its owner only, in the machine's place for temporary files.
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
