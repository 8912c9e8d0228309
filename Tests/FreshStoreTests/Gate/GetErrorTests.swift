import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

@Suite struct GetErrorTests {
  struct Refused: Error, CustomStringConvertible {
    let description = "the source said no"
  }

  private func failure(
    _ policy: Policy, isOnline: Bool = true
  ) async throws -> GetError? {
    try await TemporaryStore.run { temporary in
      if !isOnline { temporary.reachability.set(.offline("no route")) }
      let bytes = try temporary.store.bytes("things")
      do throws(GetError) {
        _ = try await bytes.get("a\0b", policy: policy) { _ in throw Refused() }
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func `an error names the record, the failure and the state of the store`() async throws {
    let error = try await failure(.cacheFirst)
    #expect(
      error?.description
        == #"cannot get "a\0b" of 'things': the fetch failed: the source said no; "#
        + "the store has: missing (record): nothing is stored under the key")
  }

  @Test func `the error for being offline suggests a remedy`() async throws {
    let words = try await failure(.cacheFirst, isOnline: false)?.description
    #expect(words?.hasSuffix("; try again online") == true)
  }

  @Test func `the error of a get from the store alone suggests a remedy`() async throws {
    let words = try await failure(.cacheOnly)?.description
    #expect(words?.contains("the source was not to be asked") == true)
    #expect(words?.hasSuffix("; allow the policy to ask the source") == true)
  }

  @Test(arguments: [GetError.Code.fetchFailed, .absent, .missing, .stale, .offline, .cancelled])
  func `an error of the source names a failure of the store as well`(
    _ code: GetError.Code
  ) {
    let failure = StoreError(.full, .put, path: "/a.db")
    let error = GetError(code, collection: "things", key: "a", storeFailure: failure)
    #expect(error.description.contains("; and the store failed: \(failure)"))
  }

  @Test func `an error of the store names its failure once`() {
    let failure = StoreError(.full, .put, path: "/a.db")
    let error = GetError(.store, collection: "things", key: "a", storeFailure: failure)
    #expect(error.description == #"cannot get "a" of 'things': \#(failure)"#)
  }

  @Test func `an error without details still names its origin`() {
    let error = GetError(.store, collection: "things", key: "a")
    #expect(error.description == #"cannot get "a" of 'things': the store failed"#)
    let failed = GetError(.fetchFailed, collection: "things", key: "a")
    #expect(failed.description == #"cannot get "a" of 'things': the fetch failed"#)
  }
}
