internal import Foundation

/// Instruction counts that are checked in, so that a more expensive turn is noticed.
///
/// A text file: one line for the basis of the counts, and one for each count, its name and its
/// number separated by a tab.
public struct InstructionLimits {
  /// The part by which a count may rise.
  public static let tolerance = 0.1

  private let path: String
  private let basis: String

  /// - Parameter basis: The conditions of the counts besides the code, such as the compiler's
  ///   version.
  public init(path: String, basis: String) {
    self.path = path
    self.basis = basis
  }

  /// Saves the counts of a section.
  public func write(_ section: Section) throws {
    let lines = section.figures.map { "\($0.name)\t\(Int($0.value.rounded()))" }
    try Data(([basis] + lines).map { "\($0)\n" }.joined().utf8).write(to: URL(filePath: path))
  }

  /// Compares the counts of a section with the saved ones; false when one has risen by more than
  /// the tolerance, or is missing.
  public func check(_ section: inout Section) throws -> Bool {
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    guard lines.first == basis else {
      section.add(
        note: "not compared: \(path) is of \(lines.first ?? "nothing"), this is \(basis)")
      return true
    }
    let counts = Dictionary(
      section.figures.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    var isKept = true
    for line in lines.dropFirst() {
      let parts = line.split(separator: "\t")
      guard parts.count == 2, let limit = Double(parts[1]) else {
        throw BenchmarkFailure(words: "\(path) has a line that says nothing: \(line)")
      }
      guard let count = counts[String(parts[0])] else {
        section.add(note: "\(parts[0]) is not counted any more")
        isKept = false
        continue
      }
      guard count > limit * (1 + Self.tolerance) else { continue }
      section.add(note: "\(parts[0]): \(count.figures), \(limit.figures) when it was written down")
      isKept = false
    }
    return isKept
  }
}
