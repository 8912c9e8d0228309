/// Addresses: a path, or a whole address, in which each `*` stands for any characters.
package struct AddressPattern: Sendable, Hashable {
  private let pattern: [UInt8]
  private let isPath: Bool

  package init?(_ text: String) {
    isPath = text.hasPrefix("/")
    guard isPath || text.hasPrefix("http://") || text.hasPrefix("https://") else { return nil }
    pattern = Array(text.utf8)
  }

  /// A path without a query fits whatever query the address has.
  package func fits(_ address: String) -> Bool {
    guard isPath else { return Self.fits(Array(address.utf8), pattern) }
    guard let host = address.firstRange(of: "://")?.upperBound,
      let slash = address[host...].utf8.firstIndex(of: UInt8(ascii: "/"))
    else { return false }
    var text = Array(address[slash...].utf8)
    let question = UInt8(ascii: "?")
    if !pattern.contains(question), let query = text.firstIndex(of: question) {
      text.removeSubrange(query...)
    }
    return Self.fits(text, pattern)
  }

  private static func fits(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (place, at) = (0, 0)
    // The last star, and how far it reaches.
    var star: (pattern: Int, text: Int)?
    while place < text.count {
      if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
        star = (at, place)
        at += 1
      } else if at < pattern.count, pattern[at] == text[place] {
        (place, at) = (place + 1, at + 1)
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (place, at) = (last.text + 1, last.pattern + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
