/// Runs a program over a text.
struct PatternMachine {
  private let program: PatternProgram
  private let letters: LetterCase
  private let extent: PatternExtent
  /// The active places, unordered.
  private var places: [Int] = []
  /// The places before the last step; kept to spare allocations.
  private var left: [Int] = []
  /// The number of the last character before which each place was active.
  private var visited: [Int]
  /// The places still to be entered; kept to spare allocations.
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

  /// Enters a place, and every place that the program reaches from it without taking a character.
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

/// A pattern as a program for a machine that is at several places of the program at once.
///
/// The machine reads each character of a text once and never backtracks. So a check takes at most the length of the
/// text times the length of the program (Thompson's construction).
struct PatternProgram: Sendable {
  /// The maximum number of steps of a program, and of bytes of a pattern.
  static let longest = 2000

  enum Step: Sendable {
    case take(PatternTest)
    case stand(PatternNode.Place)
    /// Continues at both places.
    case fork(Int, Int)
    case jump(Int)
    case accept
  }

  private(set) var steps: [Step] = []
  private let pattern: String

  init(_ pattern: String, by unit: PatternUnit) throws(PatternError) {
    self.pattern = pattern
    try add(try PatternParser.parse(pattern, by: unit))
    try append(.accept)
  }

  private mutating func append(_ step: Step) throws(PatternError) {
    guard steps.count < Self.longest else {
      throw PatternError(
        pattern: pattern, offset: pattern.count, reason: "the pattern is too large, written out")
    }
    steps.append(step)
  }

  private mutating func add(_ node: PatternNode) throws(PatternError) {
    switch node {
    case .one(let test): try append(.take(test))
    case .place(let place): try append(.stand(place))
    case .sequence(let nodes): for node in nodes { try add(node) }
    case .either(let nodes): try addAlternatives(nodes)
    case .times(let node, let least, let most): try add(node, least, most)
    }
  }

  private mutating func addAlternatives(_ nodes: [PatternNode]) throws(PatternError) {
    var exits: [Int] = []
    for node in nodes.dropLast() {
      let fork = steps.count
      try append(.fork(fork + 1, 0))
      try add(node)
      exits.append(steps.count)
      try append(.jump(0))
      steps[fork] = .fork(fork + 1, steps.count)
    }
    if let last = nodes.last { try add(last) }
    for exit in exits { steps[exit] = .jump(steps.count) }
  }

  private mutating func add(
    _ node: PatternNode, _ least: Int, _ most: Int?
  ) throws(PatternError) {
    for _ in 0..<least {
      let start = steps.count
      try add(node)
      // Repeating no steps adds none.
      if steps.count == start { return }
    }
    guard let most else {
      let fork = steps.count
      try append(.fork(fork + 1, 0))
      try add(node)
      try append(.jump(fork))
      steps[fork] = .fork(fork + 1, steps.count)
      return
    }
    var forks: [Int] = []
    for _ in least..<most {
      forks.append(steps.count)
      try append(.fork(steps.count + 1, 0))
      try add(node)
    }
    for fork in forks { steps[fork] = .fork(fork + 1, steps.count) }
  }
}
