#if CommandLine
  import ChildProcess
  import FreshHTTP
  import FreshStore
  import FreshStoreTesting
  import Glibc
  import OriginServer
  import Testing

  /// A gateway that a service manager has started.
  @Suite(.serialized, .timeLimit(.minutes(1))) struct ServiceManagerTests {
    private struct Failed: Error {
      let number = errno
    }

    /// Binds a socket to an address that is made of bytes.
    private static func bind(
      _ kind: Int32, _ family: Int32, _ address: [UInt8]
    ) throws -> Int32 {
      let descriptor = socket(family, kind, 0)
      guard descriptor >= 0 else { throw Failed() }
      let status = unsafe address.withUnsafeBytes { bytes in
        unsafe Glibc.bind(
          descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
          socklen_t(bytes.count))
      }
      guard status == 0 else { throw Failed() }
      return descriptor
    }

    /// The bytes of an address of this machine, whose port is any free one.
    private static var anyPort: [UInt8] {
      let family = UInt16(AF_INET)
      return [UInt8(family & 0xFF), UInt8(family >> 8), 0, 0, 127, 0, 0, 1]
        + [UInt8](repeating: 0, count: 8)
    }

    private static func port(of descriptor: Int32) throws -> Int {
      var address = [UInt8](repeating: 0, count: 16)
      var length = socklen_t(address.count)
      let status = unsafe address.withUnsafeMutableBytes { bytes in
        unsafe getsockname(
          descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
      }
      guard status == 0 else { throw Failed() }
      return Int(address[2]) << 8 | Int(address[3])
    }

    /// The next datagram.
    private static func message(from descriptor: Int32) async -> String {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count > 0 { return String(decoding: bytes.prefix(count), as: UTF8.self) }
        await Task.yield()
      }
    }

    /// The content of an answer; `nil` where there is none.
    private static func text(of fetched: Fetched<[UInt8]>) -> String? {
      guard case .value(let bytes, _) = fetched else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `it is told where the gateway listens, and that it ends`() async throws {
      let playground = try Playground()
      let path = playground.file("notify")
      let family = UInt16(AF_UNIX)
      let place = try Self.bind(
        Int32(SOCK_DGRAM.rawValue), AF_UNIX,
        [UInt8(family & 0xFF), UInt8(family >> 8)] + Array(path.utf8) + [0])
      defer { close(place) }
      let origin = try await OriginServer.start { _ in .init(200, body: "hello") }
      let source = try HTTPSource()
      let run = try await playground.run(
        ["serve", "--db", playground.database, "--origin", origin.url(""), "--listen", "0"],
        environment: ["NOTIFY_SOCKET": path]
      ) { process in
        let ready = await Self.message(from: place)
        #expect(ready.hasPrefix("READY=1\nSTATUS=listening on http://127.0.0.1:"), "\(ready)")
        let base = String(ready.dropFirst("READY=1\nSTATUS=listening on ".count))
        let fetched = try await source.fetch(base + "/a")
        #expect(Self.text(of: fetched) == "hello")
        kill(process, SIGTERM)
      }
      #expect(run.status == 0)
      #expect(await Self.message(from: place) == "STOPPING=1")
      await source.close()
      await origin.stop()
    }

    @Test func `a socket that it hands over is the gateway's`() async throws {
      let playground = try Playground()
      let socket = try Self.bind(Int32(SOCK_STREAM.rawValue), AF_INET, Self.anyPort)
      defer { close(socket) }
      #expect(listen(socket, 16) == 0)
      let port = try Self.port(of: socket)
      let origin = try await OriginServer.start { _ in .init(200, body: "hello") }
      let source = try HTTPSource()
      let command = "\(ChildProcess.folder)/freshstore"
      let process = try ChildProcess(
        "/bin/bash",
        [
          "-c",
          "exec 3<&\(socket); LISTEN_FDS=1 LISTEN_PID=$$ exec '\(command)' serve --origin "
            + "'\(origin.url(""))' --db '\(playground.database)'",
        ], inheritsDescriptors: true)
      // It may come before the gateway does.
      async let fetched = source.fetch("http://127.0.0.1:\(port)/a")
      #expect(await process.line() == "listening on http://127.0.0.1:\(port)")
      let answer = try await fetched
      #expect(Self.text(of: answer) == "hello")
      process.signal(SIGTERM)
      #expect(await process.end() == 0)
      await source.close()
      await origin.stop()
    }

    /// A gateway that gets sockets as the descriptors from 3 on, by these names, and writes all to standard output.
    private func start(
      _ playground: Playground, on sockets: [Int32], named names: String = "", _ options: String
    ) throws -> ChildProcess {
      let redirections = sockets.enumerated().map { "\($0.offset + 3)<&\($0.element)" }
      return try ChildProcess(
        "/bin/bash",
        [
          "-c",
          "exec \(redirections.joined(separator: " ")) 2>&1; LISTEN_FDS=\(sockets.count) "
            + "LISTEN_FDNAMES='\(names)' LISTEN_PID=$$ exec '\(ChildProcess.folder)/freshstore' serve "
            + "--db '\(playground.database)' \(options)",
        ], inheritsDescriptors: true)
    }

    @Test func `the socket that is named admin is for operators`() async throws {
      let playground = try Playground()
      let (clients, operators) = try (
        Self.bind(Int32(SOCK_STREAM.rawValue), AF_INET, Self.anyPort),
        Self.bind(Int32(SOCK_STREAM.rawValue), AF_INET, Self.anyPort)
      )
      defer {
        close(clients)
        close(operators)
      }
      #expect(listen(clients, 16) == 0)
      #expect(listen(operators, 16) == 0)
      let (near, port) = try (Self.port(of: clients), Self.port(of: operators))
      let source = try HTTPSource()
      let process = try start(
        playground, on: [clients, operators], named: "freshstore-serve.socket:admin", "")
      #expect(await process.line() == "listening on http://127.0.0.1:\(near)")
      #expect(await process.line().hasSuffix("figures on http://127.0.0.1:\(port)/metrics"))
      let fetched = try await source.fetch("http://127.0.0.1:\(port)/healthz")
      #expect(Self.text(of: fetched) == "ok\n")
      process.signal(SIGTERM)
      #expect(await process.end() == 0)
      await source.close()
    }

    @Test(arguments: [
      ("--listen 0", "a socket was handed over for --listen"),
      ("--admin 127.0.0.2:PORT", "--admin must not listen on a port of clients"),
      ("--origin http://localhost:PORT", "--origin is where this gateway itself listens"),
    ])
    func `what contradicts a socket is refused`(options: String, words: String) async throws {
      let playground = try Playground()
      let socket = try Self.bind(Int32(SOCK_STREAM.rawValue), AF_INET, Self.anyPort)
      defer { close(socket) }
      #expect(listen(socket, 16) == 0)
      let port = try Self.port(of: socket)
      let process = try start(
        playground, on: [socket], options.replacing("PORT", with: "\(port)"))
      #expect(await process.line().contains(words))
      #expect(await process.end() == 64)
    }

    @Test(arguments: [("", true), ("0", false)])
    func `what is no socket is refused, and what is for another process is not taken`(
      suffix: String, isOwn: Bool
    ) async throws {
      let run = try await Playground().runShell(
        """
        exec 3< /dev/null
        LISTEN_FDS=1 LISTEN_PID=$$\(suffix) exec freshstore serve --db /none/store.db --origin http://h
        """)
      #expect((run.status == 64) == isOwn)
      #expect(run.error.contains("is no TCP socket that listens") == isOwn, "\(run.error)")
    }
  }
#endif
