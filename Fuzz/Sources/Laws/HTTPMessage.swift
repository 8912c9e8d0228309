import FreshStore
import Strategies

@testable import FreshHTTP

/// A response, the request that it answers and the times between them, as an input of the fuzzer
/// states them:
///
/// ```
/// 200 1700000000000 250
/// Cache-Control: max-age=60
///
/// Accept: text/html
/// ```
///
/// The first line is the status, the time of arrival and the delay, both in milliseconds; an
/// omitted part, or one that is no number, has a usual value.
struct HTTPMessage {
  let status: Int
  let time: Timestamp
  let delay: Duration
  let response: HeaderFields
  let request: HeaderFields

  init(_ input: [UInt8]) {
    let lines = String(decoding: input, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let numbers = (lines.first ?? "").split(separator: " ").map { Int64($0) }
    func number(_ place: Int, or usual: Int64) -> Int64 {
      numbers.indices.contains(place) ? numbers[place] ?? usual : usual
    }
    status = Int(number(0, or: 200))
    time = Timestamp(millisecondsSinceEpoch: number(1, or: 1_700_000_000_000))
    delay = .milliseconds(number(2, or: 0))
    let halves = lines.dropFirst().split(
      separator: "", maxSplits: 1, omittingEmptySubsequences: false)
    response = Self.fields(halves.first ?? [])
    request = Self.fields(halves.count > 1 ? halves[1] : [])
  }

  /// The exchange with other fields in the response.
  func exchange(_ response: HeaderFields) -> HTTPExchange {
    HTTPExchange(
      status: status, request: request, response: response, responseTime: time,
      responseDelay: delay)
  }

  /// The answer with another status.
  func answer(_ status: Int) -> HTTPAnswer {
    HTTPAnswer(
      status: status, fields: response, body: Array("body".utf8),
      arrival: ClockReading(wall: time, boot: 1, sinceBoot: 1_000_000),
      responseDelay: max(.zero, delay))
  }

  private static func fields(_ lines: ArraySlice<Substring>) -> HeaderFields {
    HeaderFields(
      lines.map { line in
        let name = line.prefix { $0 != ":" }
        return HeaderFields.Line(name: String(name), value: String(line.dropFirst(name.count + 1)))
      })
  }
}
