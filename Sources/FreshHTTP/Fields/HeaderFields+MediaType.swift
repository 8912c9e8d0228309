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
}
