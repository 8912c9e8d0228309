#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// The output of `get --json`.
  struct AnswerOutput: Encodable {
    var collection: String
    var key: String
    /// The value, when it is UTF-8.
    var value: String?
    /// The value, when it is not.
    var valueBase64: String?
    var freshness: String?
    var ageSeconds: Double?
    var expiry: String?
    var expirySeconds: Double?
    var lastUpdate: String?
    var source: String?
    var contentType: String?
    var outcome: String?
    var decidedBy: String?
    var reason: ReasonOutput?
    var error: ErrorOutput?
    var storeError: ErrorOutput?
    var isRefreshing: Bool?

    init(_ answer: Answer<[UInt8]>, in collection: String) {
      self.collection = collection
      key = answer.key
      value = String(validating: answer.value, as: UTF8.self)
      valueBase64 = value == nil ? Base64.encode(answer.value) : nil
      freshness = answer.freshness.rawValue
      ageSeconds = answer.age?.inSeconds
      expiry = answer.expiry.name
      expirySeconds = answer.expiry.inSeconds
      lastUpdate = answer.lastUpdate?.description
      source = answer.source
      contentType = answer.contentType
      explain(answer.decision)
      error = answer.fetchFailure.map { ErrorOutput($0) }
      storeError = answer.storeFailure.map { ErrorOutput($0) }
      isRefreshing = answer.needsRefresh ? true : nil
    }

    init(_ error: GetError) {
      collection = error.collection
      key = error.key
      explain(error.decision)
      self.error = ErrorOutput(error)
      storeError = error.storeFailure.map { ErrorOutput($0) }
    }

    private mutating func explain(_ decision: Decision?) {
      outcome = decision?.outcome.rawValue
      decidedBy = decision?.decidedBy
      reason = decision.map { ReasonOutput($0.cause) }
    }
  }
#endif
