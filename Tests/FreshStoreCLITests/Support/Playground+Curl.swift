#if CommandLine
  import Testing

  /// An answer as curl has got it.
  struct CurlAnswer: Sendable {
    /// The exit code of curl.
    let code: Int32
    let status: Int
    /// The value of this gateway's member of `Cache-Status`, without its name.
    let decision: String
    /// The lines of the header section.
    let head: [String]
    let content: String
    let error: String
  }

  extension Playground {
    /// Asks with curl.
    ///
    /// - Parameter words: The arguments of curl, as a shell reads them.
    func curl(
      _ words: String, environment: [String: String] = [:]
    ) async throws -> CurlAnswer {
      let run = try await runShell(
        "exec curl --silent --show-error --include --max-time 60 \(words)",
        environment: environment)
      var parts = run.text.split(separator: "\r\n\r\n", maxSplits: 1)
      // Informational answers come before it.
      while parts.count > 1, parts[0].firstMatch(of: /^HTTP\/[0-9.]+ 1/) != nil {
        parts = parts[1].split(separator: "\r\n\r\n", maxSplits: 1)
      }
      let head = (parts.first ?? "").split(separator: "\r\n").map(String.init)
      let field = "Cache-Status: freshstore; "
      let decision = head.last { $0.hasPrefix(field) }?.dropFirst(field.count) ?? ""
      let start = (head.first ?? "").split(separator: " ")
      return CurlAnswer(
        code: run.status, status: start.count > 1 ? Int(start[1]) ?? 0 : 0,
        decision: String(decision), head: head,
        content: parts.count > 1 ? String(parts[1]) : "", error: run.error)
    }

    /// Asks with curl until an answer is as it is waited for: what an origin has sent is stored a moment after its
    /// last byte.
    @discardableResult
    func curl(
      _ words: String, until isAsExpected: (CurlAnswer) -> Bool
    ) async throws -> CurlAnswer {
      while true {
        let answer = try await curl(words)
        try #require(answer.code == 0, "\(answer.error)")
        if isAsExpected(answer) { return answer }
      }
    }

    /// Asks with curl until the answer is a copy that holds.
    @discardableResult
    func curlUntilHit(_ words: String) async throws -> CurlAnswer {
      try await curl(words) { $0.decision.hasPrefix("hit") }
    }
  }
#endif
