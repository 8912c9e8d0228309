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

  /// True when the body of a response with that status is the value: the others' bodies are read
  /// only as far as a message needs them.
  static func bodyIsValue(_ status: Int) -> Bool {
    status == 200 || status == 201 || status == 203
  }
}
