import FreshStore
import Platform
import Strategies

/// One process of a test that needs several on the same file.
///
/// `StoreWorker DATABASE KEY LOG [hold]` opens the store, prints `ready`, waits for a line, and gets
/// the key. Its fetch writes a line to the log; with `hold` it then prints `fetching` and waits for
/// another line. At the end it prints the result.
///
/// `StoreWorker DATABASE endless ROLE FIRST` works until it is killed; see ``EndlessWork``.
///
/// `StoreWorker DATABASE newborn ROLE START` opens new stores; see ``NewbornWork``.
///
/// `StoreWorker DATABASE crowd PROCESS SECONDS` works for a while; see ``CrowdWork``.
///
/// `StoreWorker DATABASE` opens the store, prints `ready`, and executes each line; see
/// ``CommandLoop``.
@main
struct StoreWorker {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count == 2 { return try await CommandLoop.run(arguments[1]) }
    if arguments.count == 5, ["endless", "crowd", "newborn"].contains(arguments[2]) {
      do {
        return try await work(arguments[2], on: arguments[1], arguments[3], arguments[4])
      } catch {
        // Not by the runtime, whose helper would be left behind when this process is killed.
        let words = Array("\(arguments[3]): \(error)\n".utf8)
        _ = unsafe words.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(1)
      }
    }
    guard arguments.count >= 4 else {
      print("usage: StoreWorker DATABASE KEY LOG [hold]")
      exit(64)
    }
    let (path, key, log) = (arguments[1], arguments[2], arguments[3])
    let holds = arguments.dropFirst(4).first == "hold"

    var configuration = Configuration(reachability: .fixed(.online))
    configuration.leaseDuration = .milliseconds(600)
    let store = try Store(path: path, configuration: configuration)
    let values = try store.bytes("values")
    say("ready")
    _ = readLine()
    do {
      let answer = try await values.get(key) { _ in
        try note("\(getpid())\n", in: log)
        if holds {
          say("fetching")
          _ = readLine()
        }
        return .value(Array("from \(getpid())".utf8))
      }
      let value = String(decoding: answer.value, as: UTF8.self)
      say(
        "\(value) \(answer.freshness.rawValue) \(answer.storeFailure.map { "\($0.code)" } ?? "-")")
    } catch {
      say("failed: \(error)")
    }
    try await store.close()
  }

  private static func work(
    _ kind: String, on path: String, _ first: String, _ second: String
  ) async throws {
    guard let number = Int(second) else { throw CancellationError() }
    if kind == "crowd" {
      var work = try CrowdWork(path, process: Int(first) ?? 0)
      return try await work.run(for: number)
    }
    if kind == "newborn" {
      return try await NewbornWork(path: path, role: first, start: Int64(number)).run()
    }
    guard let role = EndlessWork.Role(rawValue: first) else { throw CancellationError() }
    var work = try EndlessWork(path, role, first: number)
    try await work.run()
  }

  static func say(_ words: String) {
    print(words)
    fflush(nil)
  }

  /// Appended in one write, so that lines of several processes never mix.
  private static func note(_ line: String, in path: String) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CancellationError() }
    defer { close(file) }
    let bytes = Array(line.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
  }
}
