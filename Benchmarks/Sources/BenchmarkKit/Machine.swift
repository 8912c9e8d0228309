internal import Foundation

/// The machine of the measurements.
public struct Machine: Codable, Sendable {
  /// The processor's model.
  public let processor: String
  /// The number of processors.
  public let cores: Int
  /// The kernel's version.
  public let kernel: String
  /// The compiler's version.
  public let compiler: String
  /// The day of the run.
  public let date: String
  /// The number of threads with work when the run began, on average over a minute.
  public let load: String

  /// Asks the machine the program runs on.
  ///
  /// A program cannot know its compiler; the script that had it built says so in
  /// `BENCHMARK_COMPILER`.
  public init() {
    processor = Self.value(of: "model name", in: "/proc/cpuinfo") ?? "unknown processor"
    cores = ProcessInfo.processInfo.activeProcessorCount
    kernel = Self.text(of: "/proc/sys/kernel/osrelease") ?? "unknown"
    compiler = ProcessInfo.processInfo.environment["BENCHMARK_COMPILER"] ?? "unknown compiler"
    date = Date.now.formatted(.iso8601.year().month().day())
    load = Self.text(of: "/proc/loadavg")?.split(separator: " ").first.map(String.init) ?? "unknown"
  }

  /// All of it in one line.
  public var line: String {
    "\(processor), \(cores) cores, kernel \(kernel), \(compiler), \(date), load \(load)"
  }

  /// The value of a field in one of the kernel's files of lines `name: value`.
  public static func value(of name: String, in path: String) -> String? {
    text(of: path)?.split(separator: "\n").first { $0.hasPrefix(name) }?
      .split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespaces)
  }

  private static func text(of path: String) -> String? {
    // A system without the file has no value.
    let data = try? Data(contentsOf: URL(filePath: path))
    return data.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines) }
  }
}
