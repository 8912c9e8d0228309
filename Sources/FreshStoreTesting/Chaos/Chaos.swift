public import FreshStore
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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

  /// Creates a source of faults. Each call fails, and each value is corrupted, with the given probability.
  public init(seed: UInt64, failureRate: Double = 0, corruptionRate: Double = 0) {
    state = Mutex((SeededGenerator(seed: seed), 0, 0))
    self.failureRate = failureRate
    self.corruptionRate = corruptionRate
  }

  /// The number of calls that have failed.
  public var failures: Int { state.withLock { $0.failures } }

  /// Throws ``Failure`` now and then.
  func mayFail() throws {
    let failed = state.withLock { state -> Int? in
      state.calls += 1
      guard Double.random(in: 0..<1, using: &state.generator) < failureRate else { return nil }
      state.failures += 1
      return state.calls
    }
    if let failed { throw Failure(call: failed) }
  }

  /// Flips one bit of the bytes now and then.
  func mayCorrupt(_ bytes: [UInt8]) -> [UInt8] {
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

/// A source that answers late and fails now and then.
public struct ChaosOrigin<Value: Sendable>: Sendable {
  private let fetch: @Sendable (Previous<Value>) async throws -> Fetched<Value>
  private let chaos: Chaos
  private let delay: Duration
  private let clock: any StoreClock

  /// Wraps a fetch: each call waits for `delay` on `clock`, then may fail, then answers.
  public init(
    _ chaos: Chaos, delay: Duration = .zero, on clock: any StoreClock,
    fetch: @escaping @Sendable (Previous<Value>) async throws -> Fetched<Value>
  ) {
    self.fetch = fetch
    self.chaos = chaos
    self.delay = delay
    self.clock = clock
  }

  /// Asks the source.
  public func fetch(_ previous: Previous<Value>) async throws -> Fetched<Value> {
    if delay > .zero { try await clock.sleep(for: delay) }
    try chaos.mayFail()
    return try await fetch(previous)
  }
}

/// A codec that fails, and whose bytes are corrupted, now and then.
public struct ChaosCodec<Base: Codec>: Codec {
  private let base: Base
  private let chaos: Chaos

  /// Wraps a codec.
  public init(_ base: Base, _ chaos: Chaos) {
    self.base = base
    self.chaos = chaos
  }

  /// The base's identifier.
  public var identifier: String { base.identifier }

  /// Encodes, unless it fails; the bytes may be corrupted.
  public func encode(_ value: Base.Value) throws -> [UInt8] {
    try chaos.mayFail()
    return chaos.mayCorrupt(try base.encode(value))
  }

  /// Decodes, unless it fails.
  public func decode(_ bytes: [UInt8]) throws -> Base.Value {
    try chaos.mayFail()
    return try base.decode(bytes)
  }
}

/// Damage to files, as disks cause it.
///
/// Only for files that no store has open: closing a descriptor drops the locks of the process on the file.
public enum FileChaos {
  /// Flips one bit.
  ///
  /// - Parameter bit: Counted from the start of the file; it must lie within it.
  public static func flip(bit: Int, ofFileAt path: String) throws {
    try change(path) { bytes in
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }

  /// Fills a range of bytes with noise.
  public static func fill(_ range: Range<Int>, ofFileAt path: String, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try change(path) { bytes in
      for offset in range { bytes[offset] = UInt8.random(in: 0...255, using: &generator) }
    }
  }

  /// Truncates the file.
  public static func truncate(toBytes count: Int, fileAt path: String) throws {
    try change(path) { $0 = $0.prefix(count) }
  }

  private static func change(_ path: String, _ body: (inout Data) -> Void) throws {
    let url = URL(fileURLWithPath: path)
    var bytes = try Data(contentsOf: url)
    body(&bytes)
    try bytes.write(to: url)
  }
}
