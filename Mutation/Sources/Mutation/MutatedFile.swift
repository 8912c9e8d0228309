/// A file with its mutants.
struct MutatedFile {
  var source: String
  var mutants: [Mutant]
}

extension MutatedFile {
  /// The text, with a switch at every mutant, and the extent of each of them.
  func rendered() -> (text: String, extents: [Extent]) {
    guard !mutants.isEmpty else { return (source, []) }
    // An end comes before a beginning at the same place; of beginnings the longest is first, of
    // ends it is last.
    var insertions: [(place: Int, opens: Int, length: Int, order: Int, mutant: Int)] = []
    for (index, mutant) in mutants.enumerated() {
      let length = mutant.end - mutant.start
      insertions.append((mutant.start, 1, -length, index, index))
      insertions.append((mutant.end, 0, length, -index, index))
    }
    insertions.sort {
      ($0.place, $0.opens, $0.length, $0.order) < ($1.place, $1.opens, $1.length, $1.order)
    }
    let bytes = Array(source.utf8)
    var text = Array("internal import Mutants; ".utf8)
    var extents = mutants.map { Extent(number: $0.number) }
    var place = 0
    for insertion in insertions {
      text += bytes[place..<insertion.place]
      place = insertion.place
      let mutant = mutants[insertion.mutant]
      if insertion.opens == 1 {
        extents[insertion.mutant].start = text.count
        text += Self.numbered(mutant.opening, mutant.number)
        extents[insertion.mutant].afterOpening = text.count
      } else {
        extents[insertion.mutant].closing = text.count
        text += Self.numbered(mutant.closing, mutant.number)
        extents[insertion.mutant].end = text.count
      }
    }
    return (String(decoding: text + bytes[place...], as: UTF8.self), extents)
  }

  private static func numbered(_ text: String, _ number: Int) -> [UInt8] {
    Array(
      text.split(separator: "§", omittingEmptySubsequences: false).joined(separator: "\(number)")
        .utf8)
  }
}

extension MutatedFile {
  /// Where a mutant lies in the text, in bytes.
  struct Extent {
    var number: Int
    var start = 0
    var afterOpening = 0
    var closing = 0
    var end = 0
  }

  /// The mutants that cause an error of the compiler, judged by its place.
  func refused(by error: CompilerError) -> Set<Int> {
    let (text, extents) = rendered()
    if error.isOfFlow {
      // It is reported where the value is missing; the statement that gave it stood before.
      let before = mutants.filter { $0.closing == " }" && $0.line <= error.line }
      let assigning = before.filter { $0.change.contains("\(error.name) = ") }
      if let last = assigning.last ?? before.last { return [last.number] }
    }
    if !error.isOfTime {
      let place = Self.place(error, in: text)
      let around = extents.filter { $0.start <= place && place < $0.end }
      let own = around.first {
        place < $0.afterOpening || place >= $0.closing
      }
      let inmost = around.min { $0.end - $0.start < $1.end - $1.start }
      if let blamed = own ?? inmost { return [blamed.number] }
    }
    for distance in [0, 3, 10] {
      let lines = error.line - (error.isOfTime ? 1 : distance)...error.line + max(distance, 1)
      let near = mutants.filter { lines.contains($0.line) }
      if !near.isEmpty { return Set(near.map(\.number)) }
    }
    return Set(mutants.map(\.number))
  }

  private static func place(_ error: CompilerError, in text: String) -> Int {
    var place = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .prefix(error.line - 1)
    {
      place += line.count + 1
    }
    return place + error.column - 1
  }
}
