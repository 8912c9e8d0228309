/// The bytes of records, whichever codec wrote them: for tools that show and copy stored records.
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
