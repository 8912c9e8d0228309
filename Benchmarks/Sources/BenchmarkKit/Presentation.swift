internal import Foundation

/// Shows the results of a subject's parts: tables as they come, or all figures at the end.
public struct Presentation {
  private let isJSON: Bool
  private var report: Report

  /// Begins to show a subject.
  public init(subject: String, _ options: Options) {
    isJSON = options.isJSON
    report = Report(subject: subject)
    show(report.header)
    if options.isQuick { show("A smoke run: its figures mean nothing.\n") }
  }

  /// Adds the results of a part.
  public mutating func add(_ section: Section) {
    report.add(section)
    show(section.markdown)
  }

  /// Shows people a text between the tables.
  public func show(_ text: String) {
    if !isJSON { Self.write(text + "\n") }
  }

  /// Ends.
  public func finish() throws {
    if isJSON { Self.write(try report.json() + "\n") }
  }

  private static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
