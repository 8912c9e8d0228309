#if Fleet
  import ChildProcess
  import Foundation
  import FreshStoreTesting
  import Testing

  /// The hosts of one test, with files of their own, and their common source: each process is real.
  struct WorkerFleet {
    /// A process of a host.
    struct Worker: Sendable {
      let process: ChildProcess

      /// Sends a command and awaits its answer.
      func ask(_ command: String) async throws -> String {
        try process.say(command)
        return await process.line()
      }

      /// The parts of an answer.
      func words(_ command: String) async throws -> [String] {
        try await ask(command).split(separator: " ").map(String.init)
      }

      /// Kills it, at once.
      func kill() async {
        process.signal(SIGKILL)
        _ = await process.end()
      }
    }

    let address: String
    private let folder: TemporaryFolder
    /// The objects that must live as long as the hosts.
    private let kept: [any Sendable]

    /// - Parameters:
    ///   - address: The address of the fleet when it has several servers.
    ///   - others: The objects that the hosts need beside the server of the fleet.
    init(_ fleet: TestFleet, address: String? = nil, keeping others: any Sendable...) throws {
      self.address = address ?? fleet.address
      kept = others + [fleet.server]
      folder = try TemporaryFolder()
    }

    /// Starts a process of a host, and awaits its readiness.
    ///
    /// - Parameters:
    ///   - options: The options of `FleetWorker` beside the common ones.
    ///   - network: The process in whose network the host runs; `nil` for the network of the tests.
    func start(
      _ host: Int, _ options: String..., address: String? = nil, inNetworkOf network: Int32? = nil
    ) async throws -> Worker {
      let words = [
        ChildProcess.folder + "/FleetWorker", folder.file("host-\(host).db"),
        "address=" + (address ?? self.address), "shelf=" + folder.file("shelf"),
        "host=host-\(host)",
      ]
      let enter =
        network.map { ["/usr/bin/nsenter", "--net=/proc/\($0)/ns/net", "--"] } ?? []
      let all = enter + words + options
      let process = try ChildProcess(all[0], Array(all.dropFirst()))
      #expect(await process.line() == "ready")
      return Worker(process: process)
    }

    /// The hosts that have fetched each key.
    var fetches: [String: [String]] {
      get throws {
        let text = try String(contentsOfFile: folder.file("shelf-fetches"), encoding: .utf8)
        return text.split(separator: "\n").reduce(into: [:]) { fetches, line in
          let words = line.split(separator: " ").map(String.init)
          fetches[words[0], default: []].append(words[1])
        }
      }
    }

    /// Lets workers finish, after a check of their files.
    func end(_ workers: [Worker]) async throws {
      for worker in workers { #expect(try await worker.ask("check") == "sound") }
      withExtendedLifetime(kept) {}
    }
  }
#endif
