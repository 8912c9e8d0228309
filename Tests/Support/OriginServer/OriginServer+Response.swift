#if HTTP
  extension OriginServer {
    /// An answer as a list of steps: writes, waits, and the end of the connection.
    public struct Response: Sendable {
      /// One step.
      public enum Step: Sendable {
        /// Writes bytes as they are.
        case send([UInt8])
        /// Continues when the gate is open.
        case wait(Gate)
        /// Closes the connection; later steps are not executed.
        case close

        /// Writes text as UTF-8.
        public static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
      }

      /// The status; 0 for an answer that is not HTTP.
      public let status: Int
      /// The steps, in order.
      public let steps: [Step]

      /// A whole answer with the length of its body stated, unless the status has no body or
      /// `headers` state a length of their own.
      public init(
        _ status: Int = 200, _ headers: KeyValuePairs<String, String> = [:], body: [UInt8]
      ) {
        let statesLength = headers.contains { $0.key.lowercased() == "content-length" }
        let hasBody = status != 204 && status != 304
        let length = hasBody && !statesLength ? "Content-Length: \(body.count)\r\n" : ""
        let head = Self.head(status, headers) + length + "\r\n"
        self.status = status
        steps = [.send(Array(head.utf8) + (hasBody ? body : []))]
      }

      /// A whole answer with a body of text.
      public init(
        _ status: Int = 200, _ headers: KeyValuePairs<String, String> = [:], body: String = ""
      ) {
        self.init(status, headers, body: Array(body.utf8))
      }

      /// A head, followed by the steps; `headers` state the length or the coding.
      public init(_ status: Int, _ headers: KeyValuePairs<String, String>, steps: [Step]) {
        self.status = status
        self.steps = [.send(Self.head(status, headers) + "\r\n")] + steps
      }

      /// An answer that need not be HTTP at all.
      public init(raw steps: [Step]) {
        status = 0
        self.steps = steps
      }

      private static func head(_ status: Int, _ headers: KeyValuePairs<String, String>) -> String {
        headers.reduce(into: "HTTP/1.1 \(status) Status\r\n") { head, field in
          head += "\(field.key): \(field.value)\r\n"
        }
      }
    }
  }
#endif
