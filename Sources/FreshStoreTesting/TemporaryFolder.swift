#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A folder of one test's own, removed with everything in it when the last reference is gone.
public final class TemporaryFolder: Sendable {
  /// Its path.
  public let path: String

  /// Makes a folder, for its owner only, where temporary files go on this machine.
  public init() throws {
    let name = "freshstore-" + String(UInt64.random(in: .min ... .max), radix: 36)
    path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // A leftover in the folder for temporary files harms nobody.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in it.
  public func file(_ name: String) -> String { path + "/" + name }
}
