/// A pattern as a program for a machine that is in several places of it at once.
///
/// It reads each character of a text once and never backtracks, so a check takes at most the length
/// of the text times the length of the program (Thompson's construction).
struct PatternProgram: Sendable {
  /// The most steps of a program, and bytes of a pattern.
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
