/// The decision of a chain on a list of objects.
public struct ListJudgement: Sendable, Hashable {
  /// The judgement of the object that settled the list, or of the list itself when none did.
  public let judgement: Judgement
  /// The position of the first object that is not valid; `nil` when there is none.
  public let failedAt: Int?

  /// The verdict.
  public var verdict: Verdict { judgement.verdict }
  /// The reason.
  public var reason: Reason { judgement.reason }
  /// True when the list may be served.
  public var isValid: Bool { judgement.isValid }

  /// Creates a judgement.
  package init(_ judgement: Judgement, failedAt: Int? = nil) {
    self.judgement = judgement
    self.failedAt = failedAt
  }

  /// The judgement of a list of `count` objects, each of which was found valid.
  init(allValid count: Int, whenEmpty: Verdict) {
    let opinion: Opinion =
      count == 0 ? Opinion(whenEmpty, .emptyList) : .valid(.everyElement(count: count))
    self.init(Judgement(opinion, decidedBy: nil))
  }
}

extension ListJudgement: CustomStringConvertible {
  /// The judgement, with the position of the object that settled it.
  public var description: String {
    failedAt.map { "element \($0): \(judgement)" } ?? judgement.description
  }
}
