#if CommandLine
  import Foundation
  import NetworkStates
  import Testing

  /// The command's output in a sequence of states of a real kernel: queried anew in every state,
  /// and followed by one watch. The walks run side by side, each in a network namespace of its own,
  /// because they spend most of their time on a watch that waits until a route has held.
  @Suite(
    .timeLimit(.minutes(5)),
    .enabled("a network namespace needs root, or user namespaces, and ip") {
      let script = "mount --bind /dev/null /etc/hosts && ip link add va type veth peer name vb"
      return try await Playground().runShell("unshare -rnm sh -c '\(script)'").status == 0
    })
  struct ReachabilityStatesTests {
    /// The states of the walk.
    enum Course: CaseIterable {
      case routes, routesOfIPv6, bothFamilies, routesBySource, multipath, nextHops

      /// The states of each kind of address.
      static let main: [Course] = [.routes, .routesOfIPv6, .bothFamilies]

      func walk(stormIn file: String) -> NetworkWalk {
        switch self {
        case .routes: .routes(stormIn: file)
        case .routesOfIPv6: .routesOfIPv6
        case .routesBySource: .routesBySource
        case .bothFamilies: .bothFamilies
        case .multipath: .multipath
        case .nextHops: .nextHops(compatMode: 0)
        }
      }
    }

    private static let nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups"

    /// True where an unprivileged user may run `script`, which starts as root.
    private static func canBeNobody(_ script: String) async throws -> Bool {
      let run = try await Playground().runShell(
        "chmod 755 \"$folder\" && cd \"$folder\" && \(nobody) \(script)")
      return run.status == 0
    }

    /// Walks in a namespace that `entry` makes, runs the command behind `prefix`, and compares.
    private func check(_ course: Course, entry: String, prefix: String = "") async throws {
      let playground = try Playground()
      let walk = course.walk(stormIn: playground.file("storm"))
      let files = [
        "walk": walk.script(runningBehind: prefix), "storm": NetworkWalk.storm, "hosts": walk.hosts,
      ]
      for (name, text) in files {
        try Data(text.utf8).write(to: URL(filePath: playground.file(name)))
      }
      // The walking user may have to enter the folder and to write into the pipe.
      let run = try await playground.runShell(
        "cd \"$folder\"; mkfifo lines; chmod 755 .; chmod a+rw *; exec timeout 240 \(entry) sh walk"
      )
      #expect(run.error == "")
      try compare(run.text, with: walk)
    }

    private func compare(_ text: String, with walk: NetworkWalk) throws {
      var (asked, watched): ([String], [String]) = ([], [])
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: " ", maxSplits: 2)
        let answer = try JSONDecoder().decode(
          Answer.self, from: Data(try #require(parts.last).utf8))
        #expect(answer.target == walk.target)
        #expect(Set(answer.addresses) == Set(walk.addresses))
        #expect(answer.isProvablyOffline == (answer.state == "offline"))
        #expect(answer.method == "netlink")
        if parts[0] == "watched" {
          if watched.last != answer.state { watched.append(answer.state) }
        } else {
          #expect(parts[1] == (answer.isProvablyOffline ? "4" : "0"))
          asked.append(answer.state)
        }
      }
      #expect(asked == walk.codes)
      #expect(watched == walk.watchedCodes)
    }

    private struct Answer: Decodable {
      let target: String
      let addresses: [String]
      let state: String
      let isProvablyOffline: Bool
      let method: String
    }

    @Test(arguments: Course.allCases)
    func `the command and its watch are right in every state`(course: Course) async throws {
      try await check(course, entry: "unshare -rnm")
    }

    @Test(
      .enabled("needs root, setpriv, and an executable that any user may run") {
        guard try await Playground().runShell("unshare -nm true").status == 0 else { return false }
        return try await canBeNobody("freshstore --version")
      }, arguments: Course.main)
    func `an unprivileged user sees the same states of a network of root's`(
      course: Course
    ) async throws {
      try await check(course, entry: "unshare -nm", prefix: Self.nobody)
    }

    @Test(
      .enabled("needs root, setpriv, user namespaces, and an executable that any user may run") {
        try await canBeNobody("unshare -rnm freshstore --version")
      }, arguments: Course.main)
    func `an unprivileged user sees the same states of a network of their own`(
      course: Course
    ) async throws {
      try await check(course, entry: "\(Self.nobody) unshare -rnm")
    }
  }
#endif
