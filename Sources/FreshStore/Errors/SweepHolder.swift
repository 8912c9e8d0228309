public import Strategies

/// The owner of a running sweep.
public struct SweepHolder: Sendable, Hashable, Codable {
  /// The process id.
  public let process: Int32
  /// The name of the process, as the kernel shows it; empty when the kernel does not show it.
  public let name: String
  /// When the sweep began, on the wall clock.
  public let since: Timestamp
}

extension SweepHolder: CustomStringConvertible {
  /// `process 123 (freshstore), since 2026-01-02T03:04:05Z`
  public var description: String {
    "process \(process)" + (name.isEmpty ? "" : " (\(name))") + ", since \(since)"
  }
}

extension SweepHolder {
  /// The text stored in the lock file.
  var text: String { "\(process) \(since.millisecondsSinceEpoch) \(name)\n" }

  /// Parses that text; `nil` when it is incomplete.
  package init?(text: String) {
    guard text.hasSuffix("\n") else { return nil }
    let fields = text.dropLast().split(
      separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, let process = Int32(fields[0]), let since = Int64(fields[1]) else {
      return nil
    }
    self.init(
      process: process, name: String(fields[2]), since: Timestamp(millisecondsSinceEpoch: since))
  }
}
