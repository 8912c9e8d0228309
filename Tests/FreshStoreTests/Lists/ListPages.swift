import FreshStore
import FreshStoreTesting
import StoreSupport

/// The source of a list: an answer for each page, the first one under "-", and what was asked.
struct ListPages: Sendable {
  let answers: [String: SourceListChange<String>]
  let asked = Asked()

  func answer(_ previous: PreviousList) throws -> SourceListChange<String> {
    asked.note([previous.cursor ?? "-", previous.page ?? "-"])
    guard let answer = answers[previous.page ?? "-"] else { throw OriginFailure() }
    return answer
  }

  func followed(by articles: RecordCollection<String>) async throws -> FollowedList {
    try await articles.follow("all") { try answer($0) }
  }
}
