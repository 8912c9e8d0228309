internal import ChildProcess
internal import Foundation
internal import Synchronization

/// A PostgreSQL server of a test's own, in a folder of its own below `/tmp`.
///
/// A user without rights runs it, as PostgreSQL refuses to run as root. It listens on a socket in
/// the folder, which needs no password, and on a port of the loopback interface, which needs one.
///
/// A test can stop it, kill it, copy it and put the copy back.
public final class PostgreSQLServer: Sendable {
  /// The reason why there is no server.
  public struct Failure: Error, CustomStringConvertible {
    /// One line for people.
    public let description: String
  }

  /// The words for a skipped test.
  public static let missing: Comment =
    "PostgreSQL is not installed (on Debian: apt install postgresql)"

  /// A word of a skipped test.
  public typealias Comment = String

  /// True where the server's programs are installed.
  public static var isInstalled: Bool { programs != nil }

  /// The superuser's password.
  public static let password = "s3cret%word"

  private static let programs: String? = {
    let folder = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return versions.compactMap { Int($0) }.filter { $0 >= 13 }.sorted().reversed()
      .map { "\(folder)/\($0)/bin" }
      .first { FileManager.default.isExecutableFile(atPath: $0 + "/postgres") }
  }()

  /// The folder of its data and its socket.
  public let folder: String
  /// Its port, which the socket's name has, too.
  public let port: Int
  private let process = Mutex<ChildProcess?>(nil)
  /// The process in whose network it runs; `nil` for that of the tests.
  private let network: Int32?

  /// Makes a server and starts it.
  ///
  /// - Parameter network: A process in whose network it listens, everywhere; `nil` for that of the tests.
  public init(inNetworkOf network: Int32? = nil) async throws {
    self.network = network
    folder = try Self.newFolder()
    port = try Self.freePort()
    try await Self.run("/bin/cp", ["-a", try await Template.shared.folder(), folder + "/data"])
    try await start()
  }

  deinit {
    for process in processes { kill(process, SIGKILL) }
    if let child = process.withLock({ $0 }) { AtExit.forget(child.identifier) }
    // A folder that cannot be removed stays below `/tmp`.
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func end(_ child: ChildProcess?) async {
    guard let child else { return }
    AtExit.forget(child.identifier)
    _ = await child.end()
    process.withLock { $0 = nil }
  }

  /// Makes a replica of a running server, which follows it by streaming, and starts it.
  public init(replicaOf first: PostgreSQLServer) async throws {
    network = nil
    folder = try Self.newFolder()
    port = try Self.freePort()
    let child = try Self.child(
      "pg_basebackup",
      ["-D", folder + "/data", "-R", "-X", "stream", "-c", "fast", "-d", first.address()])
    while await child.nextLine() != nil {}
    guard await child.end() == 0 else { throw Failure(description: "pg_basebackup failed") }
    try await start()
  }

  /// Makes a replica a server that can be written.
  public func promote() async throws {
    try await sql("SELECT pg_promote(true, 60)")
  }

  // MARK: Addresses

  /// The address by the socket, of this user and database.
  public func address(user: String = "postgres", database: String = "postgres") -> String {
    "host=\(folder) port=\(port) user=\(user) dbname=\(database)"
  }

  /// The address by the network, as a URI.
  public func uri(
    user: String = "postgres", password: String, database: String = "postgres"
  ) -> String {
    let word = password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? password
    return "postgresql://\(user):\(word)@127.0.0.1:\(port)/\(database)"
  }

  /// Lets everybody in who comes from these addresses.
  public func admit(_ addresses: String) async throws {
    let path = folder + "/data/pg_hba.conf"
    let rules = try String(contentsOfFile: path, encoding: .utf8)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { file.closeFile() }
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data("\(rules)\nhost all all \(addresses) trust\n".utf8))
    try await sql("SELECT pg_reload_conf()")
  }

  // MARK: Life

  /// Starts it; returns when it lets clients in.
  public func start() async throws {
    // A killed one left the word of its readiness behind.
    unsafe unlink(folder + "/data/postmaster.pid")
    let child = try Self.child(
      "postgres",
      [
        "-D", folder + "/data", "-k", folder, "-p", "\(port)", "-c",
        "listen_addresses=" + (network == nil ? "127.0.0.1" : "*"),
        "-c", "fsync=off", "-c", "shared_buffers=16MB", "-c", "max_connections=400",
        "-c", "log_min_messages=panic", "-c", "autovacuum=off", "-c",
        "max_logical_replication_workers=0", "-c", "max_prepared_transactions=10",
      ], inNetworkOf: network)
    process.withLock { $0 = child }
    AtExit.end(child.identifier)
    AtExit.remove(folder)
    for _ in 0..<3000 {
      if isReady { return }
      // It says so in a file alone.
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Failure(description: "the server did not start")
  }

  /// Its own file says so, on its eighth line.
  private var isReady: Bool {
    guard let text = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
    else { return false }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.count > 7 && (lines[7].hasPrefix("ready") || lines[7].hasPrefix("standby"))
  }

  /// Stops it at once and in order: its clients are cut off.
  public func stop() async {
    let child = process.withLock { $0 }
    child?.signal(SIGINT)
    await end(child)
  }

  /// Kills its processes.
  public func killAll() async {
    let child = process.withLock { $0 }
    for process in processes { kill(process, SIGKILL) }
    await end(child)
  }

  /// Stops its processes where they are: connections stay open, and nothing answers.
  public func freeze() { for process in processes { kill(process, SIGSTOP) } }

  /// Lets them go on.
  public func thaw() { for process in processes { kill(process, SIGCONT) } }

  /// The first process and its children.
  private var processes: [Int32] {
    guard let first = process.withLock({ $0?.identifier }) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let children = names.compactMap { Int32($0) }.filter { number in
      guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
        let bracket = text.lastIndex(of: ")")
      else { return false }
      let fields = text[text.index(after: bracket)...].split(separator: " ")
      return fields.count > 1 && Int32(fields[1]) == first
    }
    return [first] + children
  }

  /// Copies the data of a stopped server.
  public func copyData(to name: String) async throws {
    try await Self.run("/bin/cp", ["-a", folder + "/data", folder + "/" + name])
  }

  /// Puts a copy in the place of a stopped server's data.
  public func restoreData(from name: String) async throws {
    try await Self.run("/bin/rm", ["-rf", folder + "/data"])
    try await Self.run("/bin/cp", ["-a", folder + "/" + name, folder + "/data"])
  }

  /// Runs SQL as a superuser; the lines it prints.
  @discardableResult
  public func sql(_ text: String, database: String = "postgres") async throws -> [String] {
    let child = try Self.child(
      "psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", text, address(database: database)])
    var lines: [String] = []
    while let line = await child.nextLine() { lines.append(line) }
    let status = await child.end()
    guard status == 0 else { throw Failure(description: "psql ended with \(status): \(text)") }
    return lines
  }

  /// Runs SQL as a transaction that stays open, and holds its locks, until `release`.
  public func hold(_ name: String, _ text: String, database: String) async throws {
    try await sql("BEGIN; \(text); PREPARE TRANSACTION '\(name)'", database: database)
  }

  /// Ends a transaction that stayed open.
  public func commit(_ name: String, database: String) async throws {
    try await sql("COMMIT PREPARED '\(name)'", database: database)
  }

  /// Undoes a transaction that stayed open.
  public func release(_ name: String, database: String) async throws {
    try await sql("ROLLBACK PREPARED '\(name)'", database: database)
  }

  /// A new, empty database.
  public func database() async throws -> String {
    let name = "d" + String(UInt64.random(in: 0...(.max)), radix: 36)
    try await sql("CREATE DATABASE \(name) TEMPLATE template0")
    return name
  }

  // MARK: Parts

  private actor Template {
    static let shared = Template()
    private var made: Task<String, any Error>?

    func folder() async throws -> String {
      if let made { return try await made.value }
      let task = Task {
        let folder = try PostgreSQLServer.newFolder()
        let words = folder + "/password"
        try Data(PostgreSQLServer.password.utf8).write(to: URL(fileURLWithPath: words))
        let child = try PostgreSQLServer.child(
          "initdb",
          [
            "-D", folder + "/data", "-U", "postgres", "--auth-local=trust",
            "--auth-host=scram-sha-256", "--pwfile=" + words, "-E", "UTF8", "--locale=C", "-N",
          ])
        while await child.nextLine() != nil {}
        guard await child.end() == 0 else { throw Failure(description: "initdb failed") }
        AtExit.remove(folder)
        return folder + "/data"
      }
      made = task
      return try await task.value
    }
  }

  /// A folder with a short name, for the socket's path is short, in the hands of the server's user.
  private static func newFolder() throws -> String {
    var name = Array("/tmp/fleet-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else { throw Failure(description: "no folder in /tmp") }
    let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if geteuid() == 0, let user = unsafe getpwnam("nobody") {
      _ = unsafe chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
    }
    return folder
  }

  private static func child(
    _ program: String, _ arguments: [String], inNetworkOf network: Int32? = nil
  ) throws -> ChildProcess {
    guard let programs else { throw Failure(description: missing) }
    var words: [String] = []
    if let network { words += ["/usr/bin/nsenter", "--net=/proc/\(network)/ns/net", "--"] }
    if geteuid() == 0 {
      words += [
        "/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--",
      ]
    }
    words += [programs + "/" + program]
    return try ChildProcess(words[0], Array(words.dropFirst()) + arguments)
  }

  private static func run(_ program: String, _ arguments: [String]) async throws {
    let status = await (try ChildProcess(program, arguments)).end()
    guard status == 0 else { throw Failure(description: "\(program) ended with \(status)") }
  }

  private static func freePort() throws -> Int {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(socket, generic, length) == 0 && getsockname(socket, generic, &length) == 0
      }
    }
    guard isBound else { throw Failure(description: "no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
