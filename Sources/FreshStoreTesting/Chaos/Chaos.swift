internal import Synchronization

/// A repeatable source of faults: the same seed makes the same calls fail.
///
/// Shared by the wrappers around sources and codecs, ``ChaosOrigin`` and ``ChaosCodec``.
public final class Chaos: Sendable {
  /// A deliberate failure.
  public struct Failure: Error, Hashable {
    /// The number of the call that failed, counted from one.
    public let call: Int
  }

  private let state: Mutex<(generator: SeededGenerator, calls: Int, failures: Int)>
  private let failureRate: Double
  private let corruptionRate: Double

  /// Creates a source of faults: each call fails, and each value is corrupted, with the given
  /// probability.
  public init(seed: UInt64, failureRate: Double = 0, corruptionRate: Double = 0) {
    state = Mutex((SeededGenerator(seed: seed), 0, 0))
    self.failureRate = failureRate
    self.corruptionRate = corruptionRate
  }

  /// The number of calls that have failed.
  public var failures: Int { state.withLock { $0.failures } }

  /// Throws ``Failure`` now and then.
  package func mayFail() throws {
    let failed = state.withLock { state -> Int? in
      state.calls += 1
      guard Double.random(in: 0..<1, using: &state.generator) < failureRate else { return nil }
      state.failures += 1
      return state.calls
    }
    if let failed { throw Failure(call: failed) }
  }

  /// Flips one bit of the bytes now and then.
  package func mayCorrupt(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    return state.withLock { state in
      guard Double.random(in: 0..<1, using: &state.generator) < corruptionRate else {
        return bytes
      }
      var bytes = bytes
      let bit = Int.random(in: 0..<bytes.count * 8, using: &state.generator)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      return bytes
    }
  }
}
