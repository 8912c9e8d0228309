/// The results of one part of a benchmark: a table for people, figures for programs, and notes on
/// them.
public struct Section: Codable, Sendable {
  /// The heading.
  public let title: String
  /// The heads of the table's columns.
  public let columns: [String]
  /// The table's rows.
  public private(set) var rows: [[String]] = []
  /// Sentences below the table.
  public private(set) var notes: [String] = []
  /// The figures.
  public private(set) var figures: [Figure] = []

  /// Creates an empty section.
  public init(_ title: String, columns: [String]) {
    self.title = title
    self.columns = columns
  }

  /// Adds a row to the table.
  public mutating func add(row: [String]) { rows.append(row) }

  /// Adds a sentence.
  public mutating func add(note: String) { notes.append(note) }

  /// Adds a figure.
  public mutating func add(_ figure: Figure) { figures.append(figure) }

  /// Adds the results of another process for the same table.
  public mutating func merge(_ other: Section) {
    rows += other.rows
    notes += other.notes
    figures += other.figures
  }

  /// Notes whether a figure keeps below its target.
  public mutating func judge(_ name: String, _ value: Double, below target: Double, _ unit: String)
  {
    judge(name, value, "below \(target.figures)", isMet: value < target, unit)
  }

  /// Notes whether a figure reaches its target.
  public mutating func judge(
    _ name: String, _ value: Double, atLeast target: Double, _ unit: String
  ) {
    judge(name, value, "at least \(target.figures)", isMet: value >= target, unit)
  }

  /// Notes whether a figure does not exceed its target.
  public mutating func judge(
    _ name: String, _ value: Double, atMost target: Double, _ unit: String
  ) {
    judge(name, value, "at most \(target.figures)", isMet: value <= target, unit)
  }

  private mutating func judge(
    _ name: String, _ value: Double, _ target: String, isMet: Bool, _ unit: String
  ) {
    let unit = unit.isEmpty ? "" : " \(unit)"
    notes.append(
      "target \(isMet ? "met" : "MISSED"): \(name) \(value.figures)\(unit), \(target)\(unit) wanted"
    )
  }

  /// The section as Markdown, its columns aligned.
  public var markdown: String {
    let lines = [columns] + rows
    let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    let table = lines.map { line in
      let cells = zip(line, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      return "| \(cells.joined(separator: " | ")) |"
    }
    let rule = "| \(widths.map { String(repeating: "-", count: $0) }.joined(separator: " | ")) |"
    let list = notes.map { "- \($0)" }
    let parts = [["## \(title)", "", table[0], rule], Array(table.dropFirst()), [""], list]
    return parts.flatMap(\.self).joined(separator: "\n") + "\n"
  }
}
