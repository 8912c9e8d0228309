#if Logging && Metrics && Tracing
  import FreshStore
  import FreshStoreTesting
  import InMemoryTracing
  import Logging
  import Metrics
  import MetricsTestKit
  import Synchronization
  import Testing
  import Tracing

  @Suite struct ReporterTests {
    struct Refused: Error {}

    /// One successful and one failed fetch under a reporter.
    private func exercise(_ reporter: some Reporter) async throws {
      try await TemporaryStore.run {
        $0.reporter = reporter
      } _: { temporary in
        let bytes = try temporary.store.bytes("things")
        _ = try await bytes.get("good") { _ in .value([1]) }
        await #expect(throws: GetError.self) {
          try await bytes.get("bad") { _ in throw Refused() }
        }
      }
    }

    /// Keeps what is logged.
    private struct KeepingHandler: LogHandler {
      let lines: Lines
      var metadata: Logger.Metadata = [:]
      var logLevel: Logger.Level = .trace

      final class Lines: Sendable {
        let all = Mutex<[(level: Logger.Level, message: String, metadata: Logger.Metadata)]>([])
      }

      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
      }

      func log(event: LogEvent) {
        lines.all.withLock {
          $0.append((event.level, event.message.description, event.metadata ?? [:]))
        }
      }
    }

    @Test func `the log has decisions at debug and failed fetches at warning`() async throws {
      let lines = KeepingHandler.Lines()
      var logger = Logger(label: "test") { _ in KeepingHandler(lines: lines) }
      logger.logLevel = .debug

      try await exercise(LogReporter(logger))

      let logged = lines.all.withLock { $0 }
      let failed = logged.filter { $0.level == .warning }
      #expect(failed.map(\.message) == ["fetch-ended"])
      #expect(failed.first?.metadata["key"] == "bad")
      #expect(
        logged.contains {
          $0.level == .debug && $0.message == "decided" && $0.metadata["reason"] == "nothing-stored"
        })
    }

    @Test func `a logger above warning receives no decisions`() async throws {
      let lines = KeepingHandler.Lines()
      var logger = Logger(label: "test") { _ in KeepingHandler(lines: lines) }
      logger.logLevel = .critical

      try await exercise(LogReporter(logger))

      #expect(lines.all.withLock { $0.isEmpty })
    }

    @Test func `metrics count fetches by their result`() async throws {
      let metrics = TestMetrics()

      try await exercise(MetricsReporter(metrics))

      for result in ["ok", "failed"] {
        let fetches = try metrics.expectCounter(
          "freshstore_fetches", [("collection", "things"), ("result", result)])
        #expect(fetches.totalValue == 1)
      }
    }

    @Test func `a fetch is a span, and its failure is the span's`() async throws {
      let tracer = InMemoryTracer()

      try await exercise(TracingReporter(tracer))

      let spans = tracer.finishedSpans.filter { $0.operationName == "freshstore.fetch-ended" }
      #expect(spans.count == 2)
      #expect(spans.filter { $0.status?.code == .error }.count == 1)
      #expect(spans.filter { !$0.errors.isEmpty }.count == 1)
    }

    @Test func `a combined reporter notifies every one of its parts`() async throws {
      let (first, second) = (TestMetrics(), TestMetrics())

      try await exercise(
        CombinedReporter([MetricsReporter(first), MetricsReporter(second)]))

      for metrics in [first, second] {
        #expect(
          try metrics.expectCounter(
            "freshstore_fetches", [("collection", "things"), ("result", "ok")]
          ).totalValue == 1)
      }
    }
  }
#endif
