#if CommandLine
  internal import FreshStore

  /// The output of `prune --json`.
  struct PruneOutput: Encodable {
    var removed: Int
    var bytes: Int
    var fileBytes: Int
    var longestHoldSeconds: Double
    var isDryRun: Bool

    init(_ result: PruneResult) {
      removed = result.removed
      bytes = result.bytes
      fileBytes = result.fileBytes
      longestHoldSeconds = result.longestHold / .seconds(1)
      isDryRun = result.isDryRun
    }
  }
#endif
