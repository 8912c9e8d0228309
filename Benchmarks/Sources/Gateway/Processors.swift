internal import BenchmarkKit

/// The processors: one for the server that is measured, one for the load and the origin.
struct Processors {
  /// The words before a command that make it run on the server's processor.
  let serving: [String]
  /// The same for the load and the origin.
  let loading: [String]
  /// A sentence for people about the processors.
  let note: String

  init() {
    let allowed = Self.allowed
    // Without it nothing is bound to a processor, and the note says so.
    let tool = try? Server.program("taskset")
    guard let tool, allowed.count >= 2 else {
      (serving, loading) = ([], [])
      note = "nothing is bound to a processor, as there is one alone, or no taskset"
      return
    }
    serving = [tool, "-c", "\(allowed[0])"]
    loading = [tool, "-c", "\(allowed[1])"]
    note =
      "the server that is measured has processor \(allowed[0]) to itself, with all its threads and processes; "
      + "wrk and the origin share processor \(allowed[1])"
  }

  /// The numbers of those that this process may run on.
  private static var allowed: [Int] {
    let list = Machine.value(of: "Cpus_allowed_list", in: "/proc/self/status") ?? ""
    return list.split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { return [] }
      return Array(first...last)
    }
  }
}
