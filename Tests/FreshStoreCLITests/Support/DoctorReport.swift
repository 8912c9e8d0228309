#if CommandLine
  import Testing

  /// The doctor's report about a store, by check.
  struct DoctorReport {
    let run: Playground.Run
    private let findings: [[String: Any]]

    init(_ run: Playground.Run) throws {
      self.run = run
      findings = try #require(try run.object["findings"] as? [[String: Any]])
    }

    func level(_ check: String) -> String? { first(check)?["level"] as? String }
    func message(_ check: String) -> String { first(check)?["message"] as? String ?? "" }
    func advice(_ check: String) -> String { first(check)?["advice"] as? String ?? "" }

    private func first(_ check: String) -> [String: Any]? {
      findings.filter { $0["check"] as? String == check }
        .max { ($0["level"] as? String == "ok") && $1["level"] as? String != "ok" }
    }
  }
#endif
