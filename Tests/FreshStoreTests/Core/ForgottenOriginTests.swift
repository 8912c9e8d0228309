import FreshStoreTesting
import StoreSupport
import Testing

@testable import FreshStore

/// The failed origins that a sweep leaves in the store.
@Suite struct ForgottenOriginTests {
  /// Notes failures of that many origins, whose pauses end one millisecond after the other, or all at once.
  private func fail(_ count: Int, _ temporary: TemporaryStore, step: Int = 1) throws {
    try RawDatabase(temporary.path).execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO origin (name, failures, open_until, failure)
      SELECT 'http://' || i || '.example:80', 1, i * \(step), 'refused' FROM n
      """)
  }

  @Test func `a thousand origins are remembered, those that failed last`() async throws {
    try await TemporaryStore.run { temporary in
      try fail(1_300, temporary)
      _ = try await temporary.store.sweep()
      let raw = try RawDatabase(temporary.path)
      #expect(try raw.integer("SELECT count(*) FROM origin") == 1_000)
      #expect(try raw.integer("SELECT min(open_until) FROM origin") == 301)
      #expect(try temporary.store.failures(of: "http://300.example:80") == 0)
      #expect(try temporary.store.failures(of: "http://301.example:80") == 1)
    }
  }

  @Test func `of origins that failed at once as many are remembered as of others`() async throws {
    try await TemporaryStore.run { temporary in
      try fail(1_300, temporary, step: 0)
      _ = try await temporary.store.sweep()
      let left = try RawDatabase(temporary.path).integer("SELECT count(*) FROM origin")
      #expect(left == 1_000)
    }
  }

  @Test func `no hold is forgotten, and none takes the place of a failure`() async throws {
    try await TemporaryStore.run { temporary in
      try fail(1_001, temporary)
      let raw = try RawDatabase(temporary.path)
      try raw.execute("UPDATE origin SET hold = 'signed out' WHERE open_until <= 500")
      _ = try await temporary.store.sweep()
      #expect(try raw.integer("SELECT count(*) FROM origin") == 1_001)
      try raw.execute("UPDATE origin SET hold = NULL WHERE open_until > 1")
      _ = try await temporary.store.sweep()
      #expect(try raw.integer("SELECT count(*) FROM origin") == 1_001)
      #expect(try raw.integer("SELECT count(*) FROM origin WHERE hold IS NOT NULL") == 1)
    }
  }

  @Test func `a dry run forgets nothing`() async throws {
    try await TemporaryStore.run { temporary in
      try fail(1_001, temporary)
      var options = SweepOptions()
      options.isDryRun = true
      _ = try await temporary.store.sweep(options)
      let left = try RawDatabase(temporary.path).integer("SELECT count(*) FROM origin")
      #expect(left == 1_001)
    }
  }
}
