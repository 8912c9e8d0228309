import Foundation

/// An output without what differs from one run to the next: times, dates, sizes of files, and the
/// origin that was asked.
struct ComparableOutput: Equatable, CustomStringConvertible {
  let description: String

  init(_ output: String) {
    var text = output.trimmingCharacters(in: .newlines)
    text.replace("https://example.org", with: "http://localhost:8080")
    text.replace(/localhost:\d+/, with: "ORIGIN")
    text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "DATE")
    // In two units at most, as `1 h 3 min`.
    text.replace(Self.duration, with: "TIME")
    text.replace(/\d+(?:\.\d+)? (?:bytes|KiB|MiB|GiB)/, with: "SIZE")
    description = text
  }

  private static var duration: Regex<Substring> {
    /\d+(?:\.\d+)? (?:ns|µs|ms|s|min|h|d)(?!\w)(?: \d+ (?:s|min|h)(?!\w))?/
  }
}
