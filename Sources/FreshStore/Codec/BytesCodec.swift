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
