internal import Foundation

/// All that one run found.
public struct Report: Codable, Sendable {
  /// What was measured.
  public let subject: String
  /// What it was measured on.
  public let machine: Machine
  /// What was found, part by part.
  public private(set) var sections: [Section] = []

  /// Creates an empty report.
  public init(subject: String) {
    self.subject = subject
    machine = Machine()
  }

  /// The lines above the sections.
  public var header: String { "# \(subject)\n\n\(machine.line)\n" }

  /// Adds what a part found.
  public mutating func add(_ section: Section) { sections.append(section) }

  /// The report as one JSON document.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
