#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// The output of `explain --json`.
  struct ExplanationOutput: Encodable {
    let collection: String
    let key: String
    let action: String
    let decision: DecisionOutput
    let trace: [StepOutput]
    let fetchedBy: String?
    let refusal: String?
    let originIsDownUntil: String?
    let tags: [String]
    let isPinned: Bool
    let size: Int
    let source: String?
    let contentType: String?
    let entityTag: String?
    let lastModified: String?

    init(_ explanation: Explanation) {
      collection = explanation.decision.collection
      key = explanation.decision.key
      action = explanation.action.rawValue
      decision = DecisionOutput(explanation.decision)
      trace = explanation.decision.trace.map(StepOutput.init)
      fetchedBy = explanation.fetchedBy
      refusal = explanation.refusal?.message
      originIsDownUntil = explanation.originIsDownUntil?.description
      tags = explanation.tags
      isPinned = explanation.isPinned
      size = explanation.size
      source = explanation.source
      contentType = explanation.contentType
      entityTag = explanation.validators.entityTag
      lastModified = explanation.validators.lastModified
    }
  }
#endif
