internal import FreshStore
internal import Strategies

/// A response as the transport hands it over: the head, the body as far as it was wanted, and when
/// the head came.
struct HTTPAnswer: Hashable {
  let status: Int
  let fields: HeaderFields
  let body: [UInt8]
  /// When the head came. Its wall clock is that of the answer's end, which whoever reads what is stated here
  /// goes by: the clock may have been set while the body came.
  let arrival: ClockReading
  let responseDelay: Duration

  var responseTime: Timestamp { arrival.wall }

  /// True when the body of a response with that status is the value: the others' bodies are read
  /// only as far as a message needs them.
  static func bodyIsValue(_ status: Int) -> Bool {
    status == 200 || status == 201 || status == 203
  }
}
