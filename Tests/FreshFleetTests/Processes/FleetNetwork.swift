#if Fleet
  import ChildProcess
  import PostgreSQLServer
  import Testing

  /// A network namespace for the database and one for each host. A cable connects each host to the
  /// database only. The namespaces end with this value.
  struct FleetNetwork: Sendable {
    /// The traffic that the broken link of one host does not carry.
    enum Cut: String, CaseIterable, Sendable {
      case cable, requests, answers
    }

    struct Failure: Error, CustomStringConvertible {
      let description: String
    }

    /// True when this process may make namespaces and has the tools to fill them.
    static let isPossible = Task {
      do {
        _ = try await FleetNetwork(hosts: 1)
        return true
      } catch {
        print("tests of broken networks of a fleet are skipped: \(error)")
        return false
      }
    }

    private let databaseRoom: ChildProcess
    private let rooms: [ChildProcess]

    init(hosts: Int) async throws {
      let databaseRoom = try await Self.room()
      var rooms: [ChildProcess] = []
      for host in 0..<hosts {
        let room = try await Self.room()
        try await Self.configure(
          databaseRoom, "link add h\(host) type veth peer name va netns \(room.identifier)",
          "addr add 10.77.\(host).1/24 dev h\(host)", "link set h\(host) up")
        try await Self.configure(room, "addr add 10.77.\(host).2/24 dev va", "link set va up")
        rooms.append(room)
      }
      (self.databaseRoom, self.rooms) = (databaseRoom, rooms)
    }

    /// The processes in whose networks the database and a host run.
    var database: Int32 { databaseRoom.identifier }
    func network(of host: Int) -> Int32 { rooms[host].identifier }

    /// The database, as a host sees it.
    func address(_ fleet: TestFleet, for host: Int) -> String {
      "host=10.77.\(host).1 port=\(fleet.server.port) user=postgres dbname=\(fleet.database)"
    }

    func cut(_ host: Int, _ cut: Cut) async throws {
      switch cut {
      case .cable: try await Self.configure(databaseRoom, "link set h\(host) down")
      case .requests:
        try await Self.configure(rooms[host], "route add blackhole 10.77.\(host).1/32")
      case .answers:
        try await Self.configure(databaseRoom, "route add blackhole 10.77.\(host).2/32")
      }
    }

    func mend(_ host: Int, _ cut: Cut) async throws {
      switch cut {
      case .cable: try await Self.configure(databaseRoom, "link set h\(host) up")
      case .requests:
        try await Self.configure(rooms[host], "route del blackhole 10.77.\(host).1/32")
      case .answers:
        try await Self.configure(databaseRoom, "route del blackhole 10.77.\(host).2/32")
      }
    }

    // MARK: Rooms

    /// A process that does nothing in a network of its own.
    private static func room() async throws -> ChildProcess {
      let room = try ChildProcess(
        "/usr/bin/unshare", ["-n", "/bin/sh", "-c", "echo ready; exec cat"])
      guard await room.line() == "ready" else {
        throw Failure(description: "no network namespace can be made")
      }
      try await configure(room, "link set lo up")
      return room
    }

    private static func configure(_ room: ChildProcess, _ lines: String...) async throws {
      for line in lines {
        let child = try ChildProcess(
          "/usr/bin/nsenter",
          ["--net=/proc/\(room.identifier)/ns/net", "--", "/bin/sh", "-c", "exec ip \(line)"])
        let status = await child.end()
        guard status == 0 else { throw Failure(description: "ip \(line): status \(status)") }
      }
    }
  }
#endif
