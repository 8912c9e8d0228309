import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Gets of very many keys at once.
@Suite(.timeLimit(.minutes(2))) struct LargeBatchTests {
  @Test func `every key of a large batch has its own result`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let keys = (0..<3000).map { "\($0)" }
      for key in keys where key.hasSuffix("1") { try await articles.put(-1, for: key) }
      let results = await articles.get(keys) { missing in
        var fetched: [String: Fetched<Int>] = [:]
        for previous in missing where !previous.key.hasSuffix("2") {
          fetched[previous.key] = .value(Int(previous.key) ?? 0)
        }
        return fetched
      }
      #expect(results.count == keys.count)
      for key in keys {
        let value: Int? = if case .success(let answer) = results[key] { answer.value } else { nil }
        let expected = key.hasSuffix("1") ? -1 : key.hasSuffix("2") ? nil : Int(key)
        #expect(value == expected)
      }
    }
  }

  @Test func `a cancelled batch ends for all of its keys`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: Int.self)
      let (begun, end) = (Latch(isOpen: false), Latch(isOpen: false))
      let call = Task {
        await articles.get((0..<500).map { "\($0)" }) { _ in
          begun.open()
          try await end.pass()
          return [:]
        }
      }
      try await begun.pass()
      call.cancel()
      let results = await call.value
      #expect(results.count == 500)
      #expect(
        results.values.allSatisfy { result in
          if case .failure(let error) = result { error.code == .cancelled } else { false }
        })
    }
  }

  @Test func `uses of a collection share residents, however many names there are`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      for number in 0..<3000 { _ = try store.collection("name \(number)", of: Int.self) }
      let (one, other) = (
        try store.collection("name 7", of: Int.self), try store.collection("name 7", of: Int.self)
      )
      try await one.put(7, for: "1")
      #expect(try one.read("1").copy?.value == 7 && other.servableValue("1") == 7)
    }
  }
}
