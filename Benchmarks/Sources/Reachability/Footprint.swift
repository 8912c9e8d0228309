internal import BenchmarkKit
internal import Foundation

/// The resources of this process.
struct Footprint {
  /// In KiB.
  let memory: Int
  let threads: Int
  let descriptors: Int

  static var now: Footprint {
    get throws {
      let status = "/proc/self/status"
      let memory = Machine.value(of: "VmRSS", in: status)?.split(separator: " ").first
      guard let memory = memory.flatMap({ Int($0) }),
        let threads = Machine.value(of: "Threads", in: status).flatMap({ Int($0) })
      else { throw Failure.failed("\(status) does not tell the memory") }
      return Footprint(
        memory: memory, threads: threads,
        descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
    }
  }
}
