#if CommandLine
  import Testing

  /// A gateway remembers the state of the route to its origin until the routes change.
  @Suite(
    .timeLimit(.minutes(1)),
    .enabled("namespaces need root, or user namespaces") {
      try await Playground().runShell("unshare -rn true").status == 0
    })
  struct ServeRouteTests {
    /// The origin is another gateway, whose own origin is out of reach: it answers at once, and says so.
    private static let network = #"""
      ip link set lo up
      ip link add va type veth peer name vb
      ip addr add 10.77.0.2/24 dev va
      ip link set vb up
      ip link set va up
      ip route add default via 10.77.0.3 dev va
      ip route add local 10.77.0.1 dev lo
      ip route add unreachable 203.0.113.1
      mkfifo "$folder/inner" "$folder/outer"
      freshstore serve --origin http://203.0.113.1 --listen 10.77.0.1:0 --name inner \
        --db "$folder/inner.db" > "$folder/inner" 2> /dev/null &
      inner=$!
      exec 3< "$folder/inner"
      read -r listening on address <&3
      freshstore serve --origin "$address" --listen 127.0.0.1:0 --name outer \
        --db "$folder/outer.db" > "$folder/outer" 2> /dev/null &
      outer=$!
      exec 4< "$folder/outer"
      read -r listening on gateway <&4
      # The first to answer.
      ask() {
        curl -s -m 30 -o /dev/null -w "%header{cache-status}\n" "$gateway/$1" | cut -d ";" -f 1
      }

      """#

    @Test func `a gateway that knows the way to its origin heeds each change of the routes`()
      async throws
    {
      let run = try await Playground().runShell(
        """
        exec unshare -rn sh -ec '
          \(Self.network)
          # The way is remembered for the second request.
          ask a
          ask b
          ip route del local 10.77.0.1 dev lo
          ip route add unreachable 10.77.0.1
          ask c
          ip route del unreachable 10.77.0.1
          ip route add local 10.77.0.1 dev lo
          ask d
          kill $inner $outer
          wait'
        """)
      #expect(run.error == "")
      #expect(run.text == "inner\ninner\nouter\ninner\n")
    }
  }
#endif
