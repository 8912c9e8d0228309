internal import BenchmarkKit
internal import Foundation

/// The segments that TCP has sent again so far in this thread's namespace.
struct KernelCounters {
  /// Segments of any kind.
  let segments: Int
  /// Requests for a connection.
  let connects: Int

  /// As of now.
  static func now() throws -> KernelCounters {
    KernelCounters(
      segments: try value(of: "RetransSegs", in: "snmp", "Tcp:"),
      connects: try value(of: "TCPSynRetrans", in: "netstat", "TcpExt:"))
  }

  /// The files have two lines for each protocol, the names and the values.
  private static func value(
    of name: String, in file: String, _ prefix: String
  ) throws -> Int {
    let data = try Data(contentsOf: URL(filePath: "/proc/thread-self/net/\(file)"))
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix(prefix) }.map { $0.split(separator: " ") }
    guard lines.count == 2, let column = lines[0].firstIndex(of: Substring(name)),
      column < lines[1].count, let value = Int(lines[1][column])
    else { throw BenchmarkFailure(words: "\(file) has no \(name)") }
    return value
  }
}
