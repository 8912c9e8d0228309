/// A codec with one more step over its bytes: compression, encryption, signing.
public struct TransformedCodec<Base: Codec>: Codec {
  /// A reversible step between bytes.
  public struct Transform: Sendable {
    let name: String
    let apply: @Sendable ([UInt8]) throws -> [UInt8]
    let undo: @Sendable ([UInt8]) throws -> [UInt8]

    /// Creates a step. `undo` must return the input of `apply`, and throw for bytes that `apply`
    /// did not make.
    public init(
      _ name: String, apply: @escaping @Sendable ([UInt8]) throws -> [UInt8],
      undo: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) {
      self.name = name
      self.apply = apply
      self.undo = undo
    }
  }

  private let base: Base
  private let transform: Transform

  /// Creates the codec; a chain of steps is a codec of a codec.
  public init(_ base: Base, _ transform: Transform) {
    self.base = base
    self.transform = transform
  }

  /// The base's identifier and the step's name, as `json+gzip`.
  public var identifier: String { base.identifier + "+" + transform.name }

  /// Encodes, then applies the step.
  public func encode(_ value: Base.Value) throws -> [UInt8] {
    try transform.apply(base.encode(value))
  }

  /// Undoes the step, then decodes.
  public func decode(_ bytes: [UInt8]) throws -> Base.Value {
    try base.decode(transform.undo(bytes))
  }

  /// Compares with the base codec: a step may produce different bytes each time, as encryption does.
  public func areSame(_ one: Base.Value, _ other: Base.Value) throws -> Bool {
    try base.areSame(one, other)
  }
}
