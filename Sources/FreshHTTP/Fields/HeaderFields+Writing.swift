/// The fields of a request that writes.
extension HeaderFields {
  /// States the media type of a body. Throws `badConfiguration` for a text that is none.
  mutating func setMediaType(_ mediaType: String) throws(HTTPFetchError) {
    guard FieldSyntax.isMediaType(mediaType) else {
      throw .badConfiguration(
        "'\(DisplayText.clean(mediaType, limit: 40))' is no media type; state a type and a subtype, such as "
          + "text/plain")
    }
    set("Content-Type", mediaType)
  }

  /// Names the request, as a string of RFC 8941 section 3.3.3. Throws `badConfiguration` for a key that such a
  /// string would have to escape, or cannot hold.
  mutating func setIdempotencyKey(_ key: String) throws(HTTPFetchError) {
    guard !key.isEmpty,
      key.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && !"\"\\".utf8.contains($0) })
    else {
      throw .badConfiguration(
        "an idempotency key must be printable ASCII without quotes and backslashes, such as a UUID")
    }
    set("Idempotency-Key", "\"\(key)\"")
  }
}
