import Foundation
import FreshStore
import FreshSync
import Strategies
import Testing

@Suite struct OutboxSnippets {
  @Test func `a draft that outlives its app`() async throws {
    try await Stage.run("offline: draft", "offline: count") {
      struct Note: Codable {
        var text: String
      }
      let store = try Store(
        path: file("store.db"), configuration: Configuration(reachability: .fixed(.online)))
      let notes = try store.collection("notes", of: Note.self, policy: .offlineFirst)
      try await notes.put(Note(text: "Buy milk"), for: "7")
      // begin: offline: draft
      struct Draft: Codable {
        var note: Note
        var basis: Basis<Note>
      }

      let opened = try notes.read("7")
      let draft = Draft(note: Note(text: "Buy oat milk"), basis: opened.basis)
      let bytes = try JSONEncoder().encode(draft)  // until the app starts again

      let kept = try JSONDecoder().decode(Draft.self, from: bytes)
      try await notes.write(kept.note, for: "7", basedOn: kept.basis)
      print(try notes.read("7").copy?.value.text ?? "nothing")  // Buy oat milk
      // end

      // begin: offline: count
      let counts = try store.statistics()
      print(counts.waitingWrites, counts.parkedWrites)  // 1 0
      // end
      try await store.close()
    }
  }

  /// The synchronizer of a program whose server takes many notes at once.
  func sendTogether(
    _ synchronizer: Synchronizer, _ notes: RecordCollection<String>, _ server: BatchServer
  ) {
    // begin: offline: batch
    synchronizer.add(notes, batch: 50) { missing in
      try await server.read(missing.map(\.key))
    } pushAll: { writes in
      var answers: [String: Pushed<String>] = [:]
      for answer in try await server.accept(writes) {
        let details = FetchDetails(validators: Validators(entityTag: answer.tag))
        let told: Pushed<String> =
          switch answer.status {
          case 200..<300: .accepted(details)
          case 412: .conflict(.value(answer.text, details))  // what the server holds
          default: .refused(Refusal(answer.text, status: answer.status))
          }
        answers[answer.key] = told
      }
      return answers
    }
    // end
  }
}

/// A server of one's own that takes many notes in one request.
struct BatchServer: Sendable {
  struct Answer: Sendable {
    var key: String
    var status: Int
    var tag: String
    var text: String
  }

  func read(_ keys: [String]) async throws -> [String: Fetched<String>] { [:] }
  func accept(_ writes: [PendingWrite<String>]) async throws -> [Answer] { [] }
}
