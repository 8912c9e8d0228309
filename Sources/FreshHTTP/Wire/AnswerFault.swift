#if HTTP || Fuzzing
  /// What makes an answer one that no recipient can follow.
  package enum AnswerFault: Error, Hashable {
    case noHTTP
    case version
    case status
    case transferCoding
    case repeatedLength
    case length
    case message(MessageReader.Fault)
    /// Content, or an end, of no answer; or a head within one.
    case order
    /// Bytes behind the answer before, on a connection that was used again.
    case strayBytes
    /// The same, seen before anything of the request was sent.
    case unsent

    /// What is wrong with it, for people: nothing of the answer itself is in it.
    var words: String {
      switch self {
      case .noHTTP: "it does not begin with HTTP/"
      case .version: "it begins with no version of HTTP/1"
      case .status: "its status is none, or not one that ends this request"
      case .transferCoding: "its Transfer-Encoding is not chunked alone, or it is HTTP/1.0"
      case .repeatedLength: "it has more than one Content-Length"
      case .length: "its Content-Length is no number, or stands beside Transfer-Encoding"
      case .order: "its parts come in an order that no answer has"
      case .strayBytes, .unsent: "it stands behind bytes that belong to no answer"
      case .message(.lineEnd): "a line does not end with CR LF"
      case .message(.folded), .message(.noColon), .message(.fieldName), .message(.fieldValue):
        "the name or the value of a field is malformed, as by a second line"
      case .message(.tooManyFields): "its head is too long"
      case .message(.chunkSize): "the size of a chunk is no number"
      case .message(.chunkLength): "a chunk is longer than it says"
      case .message(.contentTooLarge): "it is longer than anything can be"
      case .message(.incomplete): "it ends before it is complete"
      }
    }
  }
#endif
