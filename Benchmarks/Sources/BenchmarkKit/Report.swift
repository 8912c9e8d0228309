internal import Foundation

/// The results of one run.
public struct Report: Codable, Sendable {
  /// The measured subject.
  public let subject: String
  /// The machine it was measured on.
  public let machine: Machine
  /// The results, part by part.
  public private(set) var sections: [Section] = []

  /// Creates an empty report.
  public init(subject: String) {
    self.subject = subject
    machine = Machine()
  }

  /// The lines above the sections.
  public var header: String { "# \(subject)\n\n\(machine.line)\n" }

  /// Adds the results of a part.
  public mutating func add(_ section: Section) { sections.append(section) }

  /// The report as one JSON document.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
