#if Gateway
  internal import FreshHTTP
  internal import NIOCore

  /// A part of an answer, as an exchange hands it to whatever the client speaks.
  enum AnswerPart: Sendable {
    /// All of an answer from a copy, or of one of the gateway's own.
    case whole(AnswerPlan, ContentBytes?)
    /// The head; the content follows in parts.
    ///
    /// `hasContent` is false where none does, whatever `Content-Length` says.
    case head(Int, HeaderFields, hasContent: Bool)
    /// The head with the content that is here already: the rest follows in parts, or nothing does.
    case opening(Int, HeaderFields, ByteBuffer, isEnd: Bool)
    case content(ByteBuffer)
    /// No content follows.
    case end(trailers: HeaderFields)

    /// That of an answer which it begins.
    var status: Int? {
      switch self {
      case .whole(let plan, _): plan.status
      case .head(let status, _, hasContent: _), .opening(let status, _, _, isEnd: _): status
      case .content, .end: nil
      }
    }

    /// What the client's system has taken of a part.
    struct Taken: Sendable, Hashable {
      /// The bytes of content.
      var content = 0
      /// True when it has taken anything, be it of the head alone.
      var isBegun = false
      /// True when it has taken all.
      var isWhole = false

      static let nothing = Taken()
    }
  }
#endif
