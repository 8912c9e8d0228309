/// A local write with its content, for a person who has to decide about it.
package struct LocalWriteVersions: Sendable {
  /// The write, as a listing shows it.
  package let entry: OutboxEntry
  /// The value or the patch to be sent; `nil` for a deletion.
  package let content: [UInt8]?
  /// The media type of the content.
  package let contentType: String?
  /// The name of the format of the value (``Codec/identifier``), and the version of the program's content.
  package let format: String
  package let contentVersion: Int64
  /// The address to send it to.
  package let address: String?
  /// The last known value at the source before the local writes of the key; `nil` when it held nothing, or is
  /// unknown.
  package let base: [UInt8]?

  /// True when the value is bytes that were written as they are.
  package var isBytes: Bool { contentVersion == 0 && format == BytesCodec().identifier }
}
