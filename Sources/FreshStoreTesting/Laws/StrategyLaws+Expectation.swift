internal import Strategies

extension StrategyLaws {
  /// The answer required of a chain, derived from its strategies' answers alone.
  struct Expectation {
    let opinions: [Opinion]
    let names: [String]
    let decider: Int?
    let undecided: Verdict

    init(_ opinions: [Opinion], names: [String], undecided: Verdict) {
      self.opinions = opinions
      self.names = names
      self.undecided = undecided
      decider = opinions.firstIndex { $0.verdict != .unknown }
    }

    var opinion: Opinion { decider.map { opinions[$0] } ?? Opinion(undecided, .undecided) }
    var decidedBy: String? { decider.map { names[$0] } }
    var askedNames: [String] { Array(names.prefix(askedCount)) }
    var askedOpinions: [Opinion] { Array(opinions.prefix(askedCount)) }
    private var askedCount: Int { decider.map { $0 + 1 } ?? opinions.count }
    /// How often each strategy is asked.
    var timesAsked: [Int] { opinions.indices.map { $0 < askedCount ? 1 : 0 } }
  }
}
