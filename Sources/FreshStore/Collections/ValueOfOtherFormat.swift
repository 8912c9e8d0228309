/// Stored bytes of another format, or of another version of the content.
@usableFromInline
struct ValueOfOtherFormat: Error, CustomStringConvertible {
  let codec: String
  let version: Int
  let own: String
  let ownVersion: Int

  @usableFromInline
  init(codec: String, version: Int, own: String, ownVersion: Int) {
    self.codec = codec
    self.version = version
    self.own = own
    self.ownVersion = ownVersion
  }

  @usableFromInline
  var description: String {
    "it was written as \(codec) of content version \(version), not as \(own) of \(ownVersion)"
  }

  /// The reason why the value cannot be served.
  @usableFromInline
  var cause: Decision.Cause {
    version == ownVersion
      ? .undecodable("written as \(codec), read as \(own)")
      : .otherVersion(found: version, required: ownVersion)
  }
}
