/// Runs a program over a text.
struct PatternMachine {
  private let program: PatternProgram
  private let letters: LetterCase
  private let extent: PatternExtent
  /// The active places, unordered.
  private var places: [Int] = []
  /// The places before the last step, kept to spare allocations.
  private var left: [Int] = []
  /// The number of the last character before which each place was active.
  private var visited: [Int]
  /// The places still to be entered, kept to spare allocations.
  private var pending: [Int] = []
  private var isAccepting = false
  private var turn = 0

  init(_ program: PatternProgram, _ extent: PatternExtent, _ letters: LetterCase) {
    self.program = program
    self.extent = extent
    self.letters = letters
    visited = Array(repeating: 0, count: program.steps.count)
  }

  mutating func matches(_ text: some Sequence<Character>) -> Bool {
    var iterator = text.makeIterator()
    var previous: Character?
    var current = iterator.next()
    turn = 1
    while true {
      if extent == .search || turn == 1 { enter(0, previous, current) }
      if isAccepting, extent != .whole || current == nil { return true }
      guard let character = current, extent == .search || !places.isEmpty else { return false }
      current = iterator.next()
      step(over: character, current)
      previous = character
    }
  }

  /// Advances from each place that accepts the character to its successors.
  private mutating func step(over character: Character, _ next: Character?) {
    swap(&left, &places)
    places.removeAll(keepingCapacity: true)
    isAccepting = false
    turn += 1
    for place in left {
      if case .take(let test) = program.steps[place], test.accepts(character, letters) {
        enter(place + 1, character, next)
      }
    }
  }

  /// Enters a place, and every place that the program reaches from there without taking a
  /// character.
  private mutating func enter(_ place: Int, _ previous: Character?, _ next: Character?) {
    pending.append(place)
    while let place = pending.popLast() {
      guard visited[place] != turn else { continue }
      visited[place] = turn
      switch program.steps[place] {
      case .take: places.append(place)
      case .accept: isAccepting = true
      case .jump(let target): pending.append(target)
      case .fork(let first, let second):
        pending.append(first)
        pending.append(second)
      case .stand(let condition):
        if Self.holds(condition, previous, next) { pending.append(place + 1) }
      }
    }
  }

  private static func holds(
    _ place: PatternNode.Place, _ previous: Character?, _ next: Character?
  ) -> Bool {
    let isBoundary = (previous?.isPatternWord ?? false) != (next?.isPatternWord ?? false)
    return switch place {
    case .start: previous == nil
    case .end: next == nil
    case .wordBoundary: isBoundary
    case .noWordBoundary: !isBoundary
    }
  }
}
