import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Local writes in damaged files that were moved aside beside a store that is wiped.
@Suite struct WipedAsideTests {
  /// Moves a store with one local write aside, as damaged, beside that of `temporary`; returns its mark.
  private func moveAside(_ temporary: TemporaryStore) async throws -> String {
    let path = temporary.folder.file("old.db")
    let old = try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
    try await old.collection("notes", of: String.self).write("old", for: "1")
    try await old.close()
    let aside = temporary.path + ".damaged-1"
    for ending in ["", "-outbox"] {
      try FileManager.default.moveItem(atPath: path + ending, toPath: aside + ending)
    }
    return aside + "-outbox"
  }

  @Test func `a wipe that is killed before it removes their mark brings none of them back`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let mark = try await moveAside(temporary)
      let written = try Data(contentsOf: URL(fileURLWithPath: mark))
      try await temporary.store.wipe()
      #expect(!FileManager.default.fileExists(atPath: mark))

      try written.write(to: URL(fileURLWithPath: mark))
      let again = try temporary.another()

      #expect(try again.outbox().isEmpty && again.health.salvagedWrites == 0)
      #expect(!FileManager.default.fileExists(atPath: mark))
      try await again.close()
    }
  }

  @Test func `a wipe that fails gives none of them up`() async throws {
    try await TemporaryStore.run(configure: { $0.busyTimeout = .milliseconds(50) }) { temporary in
      let mark = try await moveAside(temporary)
      let other = try RawDatabase(temporary.path)
      try other.execute("BEGIN IMMEDIATE")

      let failure = await storeFailure { try await temporary.store.wipe() }
      try other.execute("COMMIT")

      guard case .busy = failure?.code else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(FileManager.default.fileExists(atPath: mark))
      let again = try temporary.another()
      #expect(try again.outbox().map(\.key) == ["1"])
      try await again.close()
    }
  }
}
