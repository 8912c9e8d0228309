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
    let data = try Self.makeCluster(in: folder, password: password)
    server = try Server(
      Self.asNobody([
        try Self.program("postgres"), "-D", data, "-p", "\(port)",
        "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
        "-c", "max_connections=300",
      ]), in: folder)
    let address = address
    let end = ContinuousClock.now + .seconds(30)
    while true {
      do {
        _ = try await FleetAdministration(address).setUp()
        break
      } catch {
        guard ContinuousClock.now < end else { throw error }
        try await Task.sleep(for: .milliseconds(50))
      }
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

  // MARK: Parts

  private static func program(_ name: String) throws -> String {
    let base = "/usr/lib/postgresql"
    // Where Debian has installed no versions there are none to look into.
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
    return try Server.program(name, in: versions.sorted().reversed().map { "\(base)/\($0)/bin" })
  }

  /// PostgreSQL does not run as root.
  private static func asNobody(_ command: [String]) -> [String] {
    guard getuid() == 0 else { return command }
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] + command
  }

  private static func makeCluster(in folder: URL, password: String) throws -> String {
    let file = folder.appending(path: "password").path
    try Data(password.utf8).write(to: URL(filePath: file))
    if getuid() == 0 {
      for path in [folder.path, file] {
        try FileManager.default.setAttributes(
          [.ownerAccountName: "nobody", .posixPermissions: 0o700], ofItemAtPath: path)
      }
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = asNobody([
      try program("initdb"), "-D", "\(folder.path)/data", "-U", "peers", "-A", "scram-sha-256",
      "--pwfile", file,
    ])
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure(words: "initdb ended with \(process.terminationStatus)")
    }
    return "\(folder.path)/data"
  }
}
