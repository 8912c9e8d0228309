package import Strategies

/// One request with method GET and the head of its response, with the times RFC 9111 section 4.2.3
/// calculates with.
package struct HTTPExchange: Sendable, Hashable {
  /// The status code of the response.
  package let status: Int
  /// The fields of the request as it was sent.
  package let request: HeaderFields
  /// The fields of the response.
  package let response: HeaderFields
  /// When the head of the response came in (`response_time`).
  package let responseTime: Timestamp
  /// The time from the request to that moment (`response_delay`); a negative one counts as zero.
  package let responseDelay: Duration

  /// Creates an exchange.
  package init(
    status: Int, request: HeaderFields, response: HeaderFields, responseTime: Timestamp,
    responseDelay: Duration
  ) {
    self.status = status
    self.request = request
    self.response = response
    self.responseTime = responseTime
    self.responseDelay = max(.zero, responseDelay)
  }
}
