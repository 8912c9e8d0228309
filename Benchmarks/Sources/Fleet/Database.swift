internal import BenchmarkKit
internal import Foundation
internal import FreshFleet
internal import Glibc

/// A PostgreSQL server of the benchmark's own on loopback, with the tables of a fleet. It syncs what it commits.
struct Database {
  let folder: URL
  let port: UInt16
  let password: String
  private let server: Server

  init() async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = try LoopbackSocket.freePort()
    password = UUID().uuidString
    let data = try PostgreSQLCluster.make(in: folder, password: password)
    server = try Server(
      PostgreSQLCluster.asNobody([
        try PostgreSQLCluster.program("postgres"), "-D", data, "-p", "\(port)",
        "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
        "-c", "max_connections=300",
      ]), in: folder)
    let address = address
    _ = try await Server.whenUp(within: .seconds(30)) {
      try await FleetAdministration(address).setUp()
    }
  }

  /// The address for libpq.
  var address: String {
    "host=127.0.0.1 port=\(port) user=peers dbname=postgres password=\(password)"
  }

  /// A client of it that waits for as long as a busy machine needs.
  func client(_ change: (inout FleetConfiguration) -> Void = { _ in }) throws -> FleetClient {
    try Self.client(address, change)
  }

  static func client(
    _ address: String, _ change: (inout FleetConfiguration) -> Void = { _ in }
  ) throws -> FleetClient {
    var configuration = FleetConfiguration()
    (configuration.limit, configuration.markLimit) = (.seconds(20), .seconds(20))
    change(&configuration)
    return try FleetClient(address, configuration: configuration)
  }

  /// A connection of libpq alone.
  func connection() throws -> PostgreSQLConnection {
    try PostgreSQLConnection(PostgreSQLLibrary(), port: port, password: password)
  }

  /// Ends the server.
  func end() throws {
    try server.end()
    try FileManager.default.removeItem(at: folder)
  }
}
