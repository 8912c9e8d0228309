internal import FreshStore
internal import Strategies

/// A response as the transport delivers it: the head, the wanted part of the body, and the arrival
/// of the head.
struct HTTPAnswer: Hashable {
  let status: Int
  let fields: HeaderFields
  let body: [UInt8]
  /// The arrival of the head. Its wall clock is that of the answer's end, which readers of the
  /// fields here use: the clock may have been set while the body came.
  let arrival: ClockReading
  let responseDelay: Duration

  var responseTime: Timestamp { arrival.wall }

  /// How much of the body of an answer is read.
  enum BodyPart {
    /// All of it, within the configured limit, and the time of the whole request.
    case whole
    /// As much as is kept with a refusal (``Refusal/bodyLimit``), within the same time.
    case beginning
    /// As much as a message needs.
    case words

    /// That of an answer whose body is the value, or only words.
    static func valueOrWords(_ status: Int) -> BodyPart {
      HTTPAnswer.bodyIsValue(status) ? .whole : .words
    }
  }

  /// True when the body of a response with that status is the value: the others' bodies are read
  /// only as far as a message needs them.
  static func bodyIsValue(_ status: Int) -> Bool {
    status == 200 || status == 201 || status == 203
  }
}
