/// Finds the name that was probably meant.
enum NearestName {
  /// Longer names are not compared: the cost grows with the square of the length.
  private static let greatestLength = 64

  /// The candidate with the fewest letters to change, at most a third of them; the first of equals.
  static func of(_ name: String, among candidates: [String]) -> String? {
    let limit = max(1, name.count / 3)
    guard name.utf8.count <= greatestLength else { return nil }
    return candidates.map { (name: $0, distance: distance(Array(name), Array($0))) }
      .filter { $0.distance <= limit }
      .min { $0.distance < $1.distance }?.name
  }

  /// The number of letters to change, add, remove or swap with the next (optimal string alignment).
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var (before, last) = ([Int](), Array(0...right.count))
    for (row, letter) in left.enumerated() {
      var line = [row + 1]
      for (column, other) in right.enumerated() {
        var least = min(
          last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, line[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          least = min(least, before[column - 1] + 1)
        }
        line.append(least)
      }
      (before, last) = (last, line)
    }
    return last[right.count]
  }
}
