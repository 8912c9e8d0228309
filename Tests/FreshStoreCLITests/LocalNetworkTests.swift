#if CommandLine
  import FreshStore
  import Strategies
  import Subprocess
  import Testing

  /// Sources on a local network without a route beyond it: a name is not out of reach because the
  /// Internet is.
  @Suite(
    .serialized,
    .enabled("namespaces need root, or user namespaces") {
      try await Playground().runShell("unshare -rnm true").status == 0
    })
  struct LocalNetworkTests {
    /// Runs a command on a host whose only network is 10.77.0.0/24, with these lines in its hosts file.
    /// Nothing listens on the neighbour 10.77.0.1.
    private static func run(
      _ command: String, hosts: String..., in playground: Playground? = nil
    ) async throws -> Playground.Run {
      try await (playground ?? Playground()).runShell(
        """
        printf '127.0.0.1 localhost\\n\(hosts.joined(separator: "\\n"))\\n' > "$folder/hosts"
        exec unshare -rnm sh -ec '
          mount --bind "$folder/hosts" /etc/hosts
          ip link set lo up
          ip link add va type veth peer name vb
          ip addr add 10.77.0.2/24 dev va
          ip link set vb up
          ip link set va up
          ip route add local 10.77.0.1 dev lo
          \(command)'
        """)
    }

    /// Sends name lookups to a neighbour that never answers.
    private static let silence = """
      echo nameserver 10.77.0.3 > "$folder/resolver"
        mount --bind "$folder/resolver" /etc/resolv.conf
        ip neigh add 10.77.0.3 lladdr 02:00:00:00:00:01 dev va nud permanent

      """

    private static let get = #"exec freshstore get --db "$db" "#

    @Test func `a name on the local network is tried although the Internet is out of reach`()
      async throws
    {
      let run = try await Self.run(
        Self.get + "http://origin.example:9/", hosts: "10.77.0.1 origin.example")
      #expect(run.status == 5)
      #expect(run.error.contains("could not be reached"))
    }

    @Test(
      .enabled("entering a namespace needs root") {
        try await Playground().runShell("unshare -n true").status == 0
      })
    func `a name on the local network is fetched although the Internet is out of reach`()
      async throws
    {
      let origin = try await LocalOrigin.start()
      let run = try await Playground().runShell(
        """
        printf "127.0.0.1 origin.example" > "$folder/hosts"
        exec nsenter --net=\(origin.namespace) unshare -m sh -ec '
          mount --make-rprivate /
          mount --bind "$folder/hosts" /etc/hosts
          \(Self.get) http://origin.example:\(origin.port)/'
        """)
      #expect(run.error == "")
      #expect(run.text == "value")
    }

    @Test(
      .enabled("entering a namespace needs root") {
        try await Playground().runShell("unshare -n true").status == 0
      })
    func `a run of the daemon reaches a name on the local network`() async throws {
      let origin = try await LocalOrigin.start()
      let run = try await Playground().runShell(
        """
        printf "127.0.0.1 origin.example" > "$folder/hosts"
        exec nsenter --net=\(origin.namespace) unshare -m sh -ec '
          mount --make-rprivate /
          mount --bind "$folder/hosts" /etc/hosts
          printf v | freshstore write --db "$db" http://origin.example:\(origin.port)/ > /dev/null
          exec freshstore sync run --once --db "$db"'
        """)
      #expect(run.text == "1 sent\n")
      #expect(run.status == 0)
    }

    @Test func `an offline daemon watches the routes once, however many hosts there are`()
      async throws
    {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      let records = try store.bytes("http")
      for number in 1...200 {
        let url = "http://host-\(number).example/"
        try await records.put(
          [1], for: url, details: FetchDetails(expiry: .immediately, source: url))
      }
      try await store.close()
      let run = try await playground.runShell(
        """
        exec unshare -rn sh -ec '
          mkfifo "$folder/lines"
          freshstore sync run --json --db "$db" > "$folder/lines" &
          exec 3< "$folder/lines"
          while read -r line <&3; do case $line in *offline*) break ;; esac; done
          ls /proc/$!/fd | wc -l
          ls /proc/$!/task | wc -l
          kill $!'
        """)
      let counts = run.text.split(separator: "\n").compactMap { Int($0) }
      #expect(counts.count == 2)
      // The descriptors of the store, of one watcher, and of the running lookups.
      #expect(counts.allSatisfy { $0 < 64 })
    }

    @Test func `a name that cannot be resolved in time may be one on the local network`()
      async throws
    {
      let run = try await Self.run(
        Self.silence + Self.get + "http://origin.example/ --timeout 1s")
      #expect(run.status == 5)
      #expect(!run.error.contains("out of reach"), "\(run.error)")
    }

    @Test func `without a link a name that cannot be resolved in time is out of reach`()
      async throws
    {
      let playground = try Playground()
      let resolver =
        "use Socket; $| = 1; socket($s, PF_INET, SOCK_DGRAM, 0) or die;"
        + "bind($s, sockaddr_in(53, INADDR_LOOPBACK)) or die; print qq(ready\\n); sleep 60"
      let run = try await playground.runShell(
        """
        echo nameserver 127.0.0.1 > "$folder/resolver"
        exec unshare -rnm sh -ec '
          mount --bind "$folder/resolver" /etc/resolv.conf
          ip link set lo up
          mkfifo "$folder/lines"
          perl -e "$0" > "$folder/lines" &
          exec 3< "$folder/lines"
          read -r line <&3
          code=0
          \(Self.get.dropFirst(5)) http://origin.example/ || code=$?
          kill $!
          exit $code' '\(resolver)'
        """)
      #expect(run.status == 4)
      #expect(run.error.contains("out of reach"), "\(run.error)")
    }

    @Test(arguments: ["sweep --refetch", "sync run --once"])
    func `an address without a route is deferred although the Internet is in reach`(
      verb: String
    ) async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      let url = "http://192.0.2.7/"
      try await store.bytes("http").put(
        [1], for: url, details: FetchDetails(expiry: .immediately, source: url))
      try await store.close()
      let run = try await Self.run(
        "ip route add default dev va; ip route add blackhole 192.0.2.7; "
          + "exec freshstore \(verb) --json --db \"$db\"", in: playground)
      #expect(run.status == 4)
      #expect(try run.object["deferred"] as? Int == 1)
    }

    @Test func `a sweep waits once for a name that cannot be resolved`() async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      let records = try store.bytes("http")
      for number in 1...12 {
        let url = "http://origin.example/\(number)"
        try await records.put(
          [1], for: url, details: FetchDetails(expiry: .immediately, source: url))
      }
      try await store.close()
      let run = try await Self.run(
        Self.silence + #"echo "options timeout:2 attempts:1" >> "$folder/resolver"; "#
          + #"exec freshstore sweep --refetch --concurrency 1 --json --db "$db""#, in: playground)
      #expect(run.status == 5)
      // The first one waits for the name, which counts as online until its lookup has ended.
      #expect(try run.object["failed"] as? Int == 1)
      #expect(try run.object["deferred"] as? Int == 11)
      #expect(try #require(run.object["seconds"] as? Double) < 8)
    }

    /// A gateway on the local network, which tells where it listens, and each status of its answers.
    private static func gateway(_ options: String, asks: String) -> String {
      """
      mkfifo "$folder/gateway"
          freshstore serve --listen 127.0.0.1:0 --db "$db" \(options) > "$folder/gateway" &
          exec 4< "$folder/gateway"
          read -r listening on address <&4
          \(asks)
          kill $!
      """
    }

    private static let status = #"curl -s -m 30 -o /dev/null -o /dev/null -w "%{http_code} ""#

    /// A name counts as online until it has been looked up: no consumer of reachability says otherwise.
    @Test(
      arguments: [
        (
          gateway(
            "--origin http://origin.example:9", asks: status + #" "$address/a""#), "502 "
        ),
        (
          gateway(
            "", asks: status + #" -x "$address" http://origin.example:9/a http://other.example:9/"#),
          "502 502 "
        ),
        (
          #"code=0; freshstore sweep --refetch --db "$db" > /dev/null 2>&1 || code=$?; echo $code"#,
          "5\n"
        ),
        (
          #"""
          freshstore sync run --json --db "$db" > "$folder/lines" 2>&1 &
              until grep -q "\"failed\":1" "$folder/lines"; do :; done
              kill $!
              grep -c offline "$folder/lines" || true
          """#, "0\n"
        ),
      ])
    func `a name counts as online until it is looked up`(work: String, told: String) async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      let url = "http://origin.example:9/"
      try await store.bytes("http").put(
        [1], for: url, details: FetchDetails(expiry: .immediately, source: url))
      try await store.close()
      let run = try await Self.run(
        work, hosts: "10.77.0.1 origin.example", "10.77.0.1 other.example", in: playground)
      #expect(run.text == told, "\(run.error)")
      #expect(!run.error.contains("out of reach"), "\(run.error)")
    }

    @Test func `a name without a route to its address fails at once`() async throws {
      let run = try await Self.run(
        Self.get + "http://origin.example/", hosts: "192.0.2.7 origin.example")
      #expect(run.status == 4)
      #expect(run.error.contains("out of reach"))
    }

    @Test func `no name is looked up in advance where the Internet is in reach`() async throws {
      let run = try await Self.run(
        "ip route add default dev va; ip route add blackhole 192.0.2.7; " + Self.get
          + "http://origin.example:9/",
        hosts: "192.0.2.7 origin.example")
      #expect(run.status == 5)
    }

    @Test func `a name without an address fails at once`() async throws {
      let run = try await Self.run(Self.get + "http://origin.example/")
      #expect(run.status == 4)
      #expect(run.error.contains("out of reach"))
    }

    @Test(arguments: [("10.77.0.1", 5), ("192.0.2.7", 4)] as [(String, Int32)])
    func `behind a proxy only the way to the proxy counts`(proxy: String, status: Int32)
      async throws
    {
      for host in [proxy, "proxy.example"] {
        let run = try await Self.run(
          "http_proxy=http://\(host):9 " + Self.get.dropFirst(5) + "http://origin.example/",
          hosts: "\(proxy) proxy.example")
        #expect(run.status == status)
      }
    }

    @Test func `a proxy has no effect on an address that bypasses it`() async throws {
      let run = try await Self.run(
        "http_proxy=http://192.0.2.7:9 no_proxy=origin.example " + Self.get.dropFirst(5)
          + "http://origin.example:9/",
        hosts: "10.77.0.1 origin.example")
      #expect(run.status == 5)
    }

    @Test(arguments: ["origin.example", "http://origin.example/"])
    func `a name on the local network is reported as reachable`(target: String) async throws {
      let object = try await Self.run(
        "freshstore reachability \(target) --json",
        hosts: "10.77.0.1 origin.example", "192.0.2.7 origin.example"
      ).object
      #expect(object["state"] as? String == "online")
      #expect(object["target"] as? String == target)
      #expect(Set(try #require(object["addresses"] as? [String])) == ["10.77.0.1", "192.0.2.7"])
    }

    @Test func `the reachability of a URL behind a proxy is that of the proxy`() async throws {
      let run = try await Self.run(
        "https_proxy=http://10.77.0.1:3128 freshstore reachability https://origin.example/ --json")
      #expect(try run.object["target"] as? String == "https://origin.example/")
      #expect(try run.object["addresses"] as? [String] == ["10.77.0.1"])
      #expect(try run.object["state"] as? String == "online")
      #expect(run.error.contains("through the proxy 10.77.0.1"))
    }

    @Test func `a name without an address is judged by the way to the Internet`() async throws {
      let run = try await Self.run("freshstore reachability origin.example")
      #expect(run.status == 4)
      #expect(run.text.hasPrefix("origin.example: offline: no route"))
      #expect(run.error.contains("asking about the Internet at large"))
    }

    @Test func `of a name without an address nothing is known, although there is a route`()
      async throws
    {
      let route = """
        echo nameserver 127.0.0.1 > "$folder/resolver"
          mount --bind "$folder/resolver" /etc/resolv.conf
          ip route add default dev va

        """
      let run = try await Self.run(route + "freshstore reachability origin.example")
      #expect(run.status == 0)
      #expect(
        run.text.hasPrefix("origin.example: unknown: its name has no address: "), "\(run.text)")
      let object = try await Self.run(
        route + "freshstore reachability http://origin.example/ --json"
      ).object
      #expect(object["state"] as? String == "reachability-unknown")
      #expect(object["addresses"] as? [String] == [])
      let doctor = try await Self.run(
        route + #"freshstore doctor origin.example --json --db "$db""#)
      #expect(try DoctorReport(doctor).level("reachability") == "warning")
    }

    @Test func `a watch looks a name up again when the network changes`() async throws {
      let run = try await Self.run(
        """
        mkfifo "$folder/lines"
          freshstore reachability --watch origin.example > "$folder/lines" &
          exec 3< "$folder/lines"
          read -r first <&3
          printf "10.77.0.1 origin.example" > /etc/hosts
          ip addr add 10.99.0.1/24 dev va
          read -r second <&3
          kill $!
          printf "%s\\n%s\\n" "$first" "$second"
        """)
      #expect(run.text.split(separator: "\n").map { $0.contains("offline") } == [true, false])
    }
  }
#endif
