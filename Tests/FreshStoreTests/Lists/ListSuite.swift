import Testing

@testable import FreshStore

/// Tests in which a list and other questions are in flight at the same time.
protocol ListSuite: ArticleSuite {}

extension ListSuite {
  /// Follows a list, and does something while its source is being asked.
  func follow(
    _ articles: RecordCollection<String>, _ answer: SourceListChange<String>,
    _ meanwhile: () async throws -> Void
  ) async throws -> FollowedList {
    let (sent, answers) = (Signal(), Signal())
    let following = Task {
      try await articles.follow("all") { _ in
        sent.fire()
        await answers.fired()
        return answer
      }
    }
    await sent.fired()
    do {
      try await meanwhile()
    } catch {
      answers.fire()
      throw error
    }
    answers.fire()
    return try await following.value
  }

  /// Gets `1` from a source that answers only once `meanwhile` is done.
  func get(
    _ articles: RecordCollection<String>, _ answer: Fetched<String>,
    _ meanwhile: () async throws -> Void
  ) async throws {
    let (sent, answers) = (Signal(), Signal())
    let getting = Task {
      try await articles.get("1", policy: .sourceFirst) { _ in
        sent.fire()
        await answers.fired()
        return answer
      }
    }
    await sent.fired()
    try await meanwhile()
    answers.fire()
    do { _ = try await getting.value } catch { #expect(error is GetError) }
  }
}
