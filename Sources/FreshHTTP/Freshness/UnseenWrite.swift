internal import FreshStore

/// A write that its source has accepted without the version of the result, which nobody has seen there since.
/// A value of a source that has no versions is none.
struct UnseenWrite: Hashable {
  /// The version that the source may still hold, where it has only promised the write: its tag, or else its
  /// date; ``absence`` for no object, and `nil` where that is unknown, or the source has stored the write.
  let former: String?

  /// No tag is written like this, and no date.
  static let absence = "*"

  /// True when the source may still hold the version.
  func mayFollow(_ validators: Validators) -> Bool {
    former != nil && former == Self.version(of: validators)
  }

  /// The version in one text; `nil` for none.
  static func version(of validators: Validators) -> String? {
    validators.entityTag ?? validators.lastModified
  }
}

extension UnseenWrite {
  /// In one line.
  var encoded: String { former ?? "" }

  /// Reads ``encoded`` back.
  init(encoded: String) {
    former = encoded.isEmpty ? nil : encoded
  }
}
