public import FreshStore

/// A codec that fails, and whose bytes are corrupted, now and then.
public struct ChaosCodec<Base: Codec>: Codec {
  private let base: Base
  private let chaos: Chaos

  /// Wraps a codec.
  public init(_ base: Base, _ chaos: Chaos) {
    self.base = base
    self.chaos = chaos
  }

  /// The base's.
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
