#if CommandLine && os(Linux)
  import Glibc
  import SanitizerSuppressions
  import Testing

  /// The behaviour where the system refuses the resources that the program needs.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct PreflightTests {
    /// Two ways to fetch: neither ends by a signal, nor without a message.
    private static let gets = ["k -- printf v", "http://127.0.0.1:9/"]

    private func expectRefusal(_ run: Playground.Run, _ words: String) {
      #expect(run.status == 71)
      #expect(run.output.isEmpty)
      #expect(run.error.contains(words))
      #expect(run.error.split(separator: "\n").count == 1)
    }

    @Test(arguments: [5, 10, 16, 20], Self.gets)
    func `Too few files are reported at once`(count: Int, get: String) async throws {
      let run = try await Playground().runShell(
        "ulimit -n \(count); exec freshstore get --online --db \"$db\" \(get)")
      expectRefusal(run, "too few files")
    }

    /// A sanitizer needs more memory than the limits allow.
    @Test(.disabled(if: isSanitized()), arguments: [100_000, 150_000], Self.gets)
    func `Too little memory is reported at once`(kibibytes: Int, get: String) async throws {
      let run = try await Playground().runShell(
        "ulimit -v \(kibibytes); exec freshstore get --online --db \"$db\" \(get)")
      expectRefusal(run, "the system allows too ")
    }

    @Test(
      .enabled("limits on threads need another user than root") { await OtherUser.isPossible() },
      arguments: [1, 3, 6, 9], Self.gets)
    func `Too few threads are reported at once`(count: Int, get: String) async throws {
      let run = try await Playground().runShell(
        """
        chmod 777 "$folder"
        exec \(OtherUser.command) prlimit --nproc=\(count) \
          freshstore get --online --db "$db" \(get)
        """)
      expectRefusal(run, "too few threads")
    }

    @Test(arguments: ["ulimit -n 40"] + (isSanitized() ? [] : ["ulimit -v 500000"]))
    func `Sufficient resources are accepted`(limit: String) async throws {
      let run = try await Playground().runShell(
        "\(limit); exec freshstore get --online --db \"$db\" k -- printf v")
      #expect(run.text == "v")
    }
  }
#endif
