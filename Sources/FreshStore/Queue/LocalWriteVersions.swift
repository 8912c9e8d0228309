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
  /// The value that the write states as its basis, or the last known value at the source before the local writes of
  /// the key; `nil` when there was nothing, or it is unknown.
  package let base: [UInt8]?
  /// What a parked write has met at its source in place of the base; `nil` for any other write.
  package let met: Met?

  /// The state of a source.
  package enum Met: Sendable, Hashable {
    case value([UInt8])
    case nothing
    /// It may not be kept.
    case unknown

    /// `nil` where there is none, or it is unknown.
    package var value: [UInt8]? { if case .value(let value) = self { value } else { nil } }
  }

  init(_ write: StoredWrite, _ known: StoredRecord?, at now: ClockReading) {
    let known = known.flatMap { $0.isIntact ? $0 : nil }
    entry = write.entry(at: now)
    content = write.patch ?? write.payload
    contentType = write.patch == nil ? write.contentType : write.patchType
    (format, contentVersion) = (write.codec, write.contentVersion)
    address = write.address
    base = write.basis.map(\.value) ?? known?.content.value
    met =
      write.basis?.hasMetAnother != true
      ? nil
      : known?.kind == .absent ? .nothing : known?.content.value.map(Met.value) ?? .unknown
  }

  /// True when the value is bytes that were written as they are.
  package var isBytes: Bool { contentVersion == 0 && format == BytesCodec().identifier }
}
