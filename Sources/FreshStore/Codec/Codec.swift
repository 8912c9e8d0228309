/// Turns values into the bytes of a record and back.
public protocol Codec<Value>: Sendable {
  /// The type of the stored values.
  associatedtype Value: Sendable
  /// The name of the byte format.
  /// The store keeps it with each record, so that bytes of another format are never decoded by accident.
  var identifier: String { get }
  /// The media type of the bytes, if the format has one; `nil` by default.
  var mediaType: String? { get }
  /// True when ``decode(_:)`` understands the output of the codec of that name; by default only its own output.
  func reads(_ identifier: String) -> Bool
  /// The value's bytes.
  func encode(_ value: Value) throws -> [UInt8]
  /// Decodes bytes that ``encode(_:)`` made; throws for any other bytes.
  func decode(_ bytes: [UInt8]) throws -> Value
  /// True when both are the same value: a source that holds one of them needs no update with the other.
  /// By default the bytes decide. A codec whose bytes differ from one encoding to the next ignores such
  /// differences here. Two values that differ in anything worth keeping are never the same.
  func areSame(_ one: Value, _ other: Value) throws -> Bool
}

extension Codec {
  /// None.
  public var mediaType: String? { nil }

  /// True for the codec's own format.
  public func reads(_ identifier: String) -> Bool { identifier == self.identifier }

  /// True when the bytes are equal.
  public func areSame(_ one: Value, _ other: Value) throws -> Bool {
    try encode(one) == encode(other)
  }
}

/// Unchanged bytes.
public struct BytesCodec: Codec {
  /// `bytes`.
  public let identifier = "bytes"

  /// Creates the codec.
  public init() {}

  /// The bytes.
  public func encode(_ value: [UInt8]) -> [UInt8] { value }
  /// The bytes.
  public func decode(_ bytes: [UInt8]) -> [UInt8] { bytes }
}

/// The bytes of records, whichever codec wrote them; for tools that show and copy stored records.
public struct AnyBytesCodec: Codec {
  /// `bytes`.
  public let identifier = "bytes"

  /// Creates the codec.
  public init() {}

  /// True for every format: the bytes are not interpreted.
  public func reads(_ identifier: String) -> Bool { true }
  /// The bytes.
  public func encode(_ value: [UInt8]) -> [UInt8] { value }
  /// The bytes.
  public func decode(_ bytes: [UInt8]) -> [UInt8] { bytes }
}

/// A codec with one more step over its bytes: compression, encryption, signing.
public struct TransformedCodec<Base: Codec>: Codec {
  /// A reversible step from bytes to bytes.
  public struct Transform: Sendable {
    let name: String
    let apply: @Sendable ([UInt8]) throws -> [UInt8]
    let undo: @Sendable ([UInt8]) throws -> [UInt8]

    /// Creates a step.
    /// `undo` must return the input of `apply`, and throw for bytes that `apply` did not make.
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

  /// Compares by the base codec: a step may produce different bytes each time, as encryption does.
  public func areSame(_ one: Base.Value, _ other: Base.Value) throws -> Bool {
    try base.areSame(one, other)
  }
}

/// A codec whose instances of one type are interchangeable.
protocol StatelessCodec: Codec {}

extension BytesCodec: StatelessCodec {}
extension AnyBytesCodec: StatelessCodec {}
extension JSONCodec: StatelessCodec {}
extension PropertyListCodec: StatelessCodec {}
