import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// A recovery keeps the fleet state of a damaged file.
@Suite(.timeLimit(.minutes(5))) struct RecoveredFleetTests: RecoverySuite {
  @Test func `a recovery keeps the host's place and the marks to be delivered`() async throws {
    let folder = try TemporaryFolder()
    let (path, new) = (folder.file("store.db"), folder.file("new.db"))
    let store = try open(path)
    let position = SharedPosition(number: 7, token: 70, generation: 700)
    _ = try store.storage.meet(
      Storage.FleetUpdate(.suspect(.new, position: position), since: nil), now: store.now())
    for scope in [Storage.Scope.tag("news"), .key("articles", "1")] {
      _ = try store.storage.markAndKeep(scope, reason: "by hand", now: store.now())
    }
    try await store.close()

    _ = try await recover(path, to: new)

    let recovered = try open(new)
    #expect(try recovered.storage.fleetState()?.position == position)
    let kept = try recovered.storage.marksForFleet(10, after: 0)
    #expect(
      kept.map { SharedMark.Scope($0.scope) }
        == [.tag(Array("news".utf8)), .key(SharedKey("articles", "1"))])
    #expect(try await recovered.check().isSound)
    try await recovered.close()
  }
}
