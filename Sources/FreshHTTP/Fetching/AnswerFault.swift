#if HTTP
  internal import NIOHTTP1

  /// What makes an answer one that no recipient can follow, where the parser of the client library takes it.
  enum AnswerFault: Error {
    case status
    case transferCoding
    /// Content, or an end, of no answer; or a head within one.
    case order

    /// What is wrong with an answer that is no HTTP, for people: nothing of the answer itself is in it. `nil` where the
    /// library tells nothing that helps.
    static func words(of error: any Error) -> String? {
      switch error {
      case AnswerFault.status, HTTPParserError.invalidStatus:
        "its status is none, or not one that ends this request"
      case AnswerFault.transferCoding:
        "its Transfer-Encoding is not chunked alone, or it is HTTP/1.0"
      case AnswerFault.order: "its parts come in an order that no answer has"
      case HTTPParserError.invalidConstant: "it does not begin with HTTP/"
      case HTTPParserError.invalidVersion: "it begins with no version of HTTP/1"
      case HTTPParserError.invalidHeaderToken:
        "the name or the value of a field is malformed, as by a space before the colon or a second line"
      case HTTPParserError.unexpectedContentLength: "it has more than one Content-Length"
      case HTTPParserError.invalidContentLength:
        "its Content-Length is no number, or stands beside Transfer-Encoding"
      case HTTPParserError.invalidChunkSize: "the size of a chunk is no number"
      case HTTPParserError.lfExpected, HTTPParserError.strictModeAssertion:
        "a line or a chunk does not end with CR LF"
      // The parser tells these no further apart.
      case HTTPParserError.unknown:
        "a line or a chunk does not end with CR LF, or its Transfer-Encoding is malformed or stands beside "
          + "Content-Length"
      case HTTPParserError.headerOverflow: "its head is too long"
      default: nil
      }
    }
  }
#endif
