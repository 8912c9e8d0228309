public import Strategies

/// Who sweeps a store.
public struct SweepHolder: Sendable, Hashable, Codable {
  /// The number of the process.
  public let process: Int32
  /// The name of the process, as the kernel shows it; empty when it does not say.
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
  /// The text that the lock's file holds.
  var text: String { "\(process) \(since.millisecondsSinceEpoch) \(name)\n" }

  /// Reads that text; `nil` when it is not whole.
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
