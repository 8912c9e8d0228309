internal import BenchmarkKit
internal import Foundation

/// Runs the parts one after the other, each in a process of its own, and shows the results.
struct Conductor {
  private let options: Options
  private var presentation: Presentation

  init(_ options: Options) {
    self.options = options
    presentation = Presentation(subject: "reachability", options)
  }

  /// Runs all parts; returns the exit status.
  static func conduct(_ options: Options) throws -> Int32 {
    var conductor = Conductor(options)
    let canMakeNetworks = try conductor.canMakeNetworks()
    if canMakeNetworks {
      try conductor.measureAll()
    } else {
      try conductor.presentation.add(conductor.measure(.reads(.host)))
    }
    try conductor.presentation.finish()
    return canMakeNetworks ? 0 : 69
  }

  private mutating func measureAll() throws {
    presentation.add(try measure(.reads(.few)))
    presentation.add(try measure(.reads(.many)))
    if InstructionCount.isPossible {
      presentation.add(try ReadInstructions.measure(isQuick: options.isQuick))
    } else {
      presentation.show("Instructions are not counted: valgrind is not installed.\n")
    }
    presentation.add(try measure(.flips, with: .flipsOfGLib))
    presentation.add(try measure(.storm(.nobody), with: .storm(.ours), .storm(.glib)))
    presentation.add(try measure(.states))
    presentation.add(try measure(.start))
  }

  private func canMakeNetworks() throws -> Bool {
    let outcome = try Worker(Part.namespace.arguments).run()
    if outcome.status == 69 {
      FileHandle.standardError.write(
        Data(
          ("all but the cost of a read needs network namespaces and ip: run this as root or under "
            + "unshare -rn (\(outcome.complaints.trimmingCharacters(in: .newlines)))\n").utf8))
    }
    return outcome.status != 69
  }

  /// Measures the parts of one table; the results of a missing peer are left out.
  private func measure(_ part: Part, with others: Part...) throws -> Section {
    guard var section = try attempt(part) else {
      throw Failure.failed("\(part.arguments): nothing was measured")
    }
    for other in others {
      if let found = try attempt(other) {
        section.merge(found)
      } else {
        section.add(note: Failure.noGLib.description)
      }
    }
    return section
  }

  private func attempt(_ part: Part) throws -> Section? {
    let flags = options.isQuick ? ["--quick"] : []
    let outcome = try Worker(part.arguments + flags).run()
    let complaints = outcome.complaints.trimmingCharacters(in: .whitespacesAndNewlines)
    switch outcome.status {
    case 0:
      var section = try JSONDecoder().decode(Section.self, from: outcome.output)
      for line in complaints.split(separator: "\n") where line.contains("WARNING") {
        section.add(note: "it wrote: \(line)")
      }
      return section
    case 70: return nil
    default: throw Failure.failed("\(part.arguments): status \(outcome.status): \(complaints)")
    }
  }
}
