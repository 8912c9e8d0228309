internal import BenchmarkKit
internal import Foundation

/// `freshstore serve`, with its defaults.
struct FreshStoreCache: Cache {
  let name = "freshstore serve"
  let outlivesRestart = true
  let keepsLargeContent = true
  private let program: String

  init() throws {
    guard let program = ProcessInfo.processInfo.environment["GATEWAY_PROGRAM"] else {
      throw Grounds.unprepared
    }
    self.program = program
  }

  func command(at site: Site) throws -> [String] {
    verb(
      [
        "serve", "--origin", "http://127.0.0.1:\(site.origin)", "--listen",
        "127.0.0.1:\(site.port)",
      ], store: Self.store(at: site))
  }

  /// A command of another verb on a store, without the options and fleets of who runs the benchmark.
  func verb(_ arguments: [String], store: String) -> [String] {
    ["/usr/bin/env", "FRESHSTORE_CONFIG=", "FRESHSTORE_FLEET=", program] + arguments
      + ["--db", store]
  }

  /// Where the store of a site lies.
  static func store(at site: Site) -> String { site.folder.appending(path: "store.db").path }
}
