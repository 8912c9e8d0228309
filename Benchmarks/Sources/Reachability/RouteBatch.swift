internal import Foundation

/// Many lines for one `ip`, in a file that exists before time is taken.
final class RouteBatch: Sendable {
  private let file: URL

  init(_ lines: [String]) throws {
    file = FileManager.default.temporaryDirectory.appending(path: "routes-\(UUID().uuidString)")
    try Data(lines.map { "\($0)\n" }.joined().utf8).write(to: file)
  }

  deinit {
    // A leftover lies in the directory for temporary files.
    try? FileManager.default.removeItem(at: file)
  }

  /// Makes the changes, in the network of this process.
  func run() throws(Failure) { try Network.configure("-batch \(file.path())") }

  /// Adds so many routes, none of which leads to a requested address.
  static func additions(_ count: Int) throws -> RouteBatch {
    try RouteBatch((0..<count).map { "route add \(prefix($0)) dev va" })
  }

  /// Adds a route and deletes it repeatedly, so many changes in all.
  static func churn(_ changes: Int) throws -> RouteBatch {
    try RouteBatch(
      (0..<changes / 2).flatMap { ["route add \(prefix($0)) dev va", "route del \(prefix($0))"] })
  }

  // 198.18.0.0/15 is reserved for benchmarks (RFC 2544).
  private static func prefix(_ index: Int) -> String {
    "198.\(18 + index / 65_536).\(index / 256 % 256).\(index % 256)/32"
  }
}
