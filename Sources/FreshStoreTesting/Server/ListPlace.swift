internal import FreshStore

/// Where a walk through the pages of a list goes on: the token of a page.
struct ListPlace: Sendable {
  /// The server's version at the first page: what has changed since comes with the next update.
  let version: Int
  /// The last key of the page before.
  let last: ExactName

  init(_ version: Int, _ last: ExactName) {
    (self.version, self.last) = (version, last)
  }

  /// `nil` for a text that is no place.
  init?(_ text: String) {
    // By bytes: a combining mark after the colon would join it to one character.
    let digits = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard digits.count < text.utf8.count, let version = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let last = String(decoding: text.utf8.dropFirst(digits.count + 1), as: UTF8.self)
    self.init(version, ExactName(last))
  }

  var text: String { "\(version):\(last.text)" }
}
