internal import BenchmarkKit
internal import Foundation

/// A process and all that descend from it, as the kernel describes them.
struct ProcessTree {
  /// The memory of all of them, in megabytes; what several share counts once.
  struct Memory {
    /// The proportional set size.
    let all: Double
    /// The part of it that is of files, and that the kernel may take back at any time.
    let ofFiles: Double
  }

  private let root: Int

  init(root: Int) {
    self.root = root
  }

  /// The memory of all, as of now.
  var memory: Memory {
    let files = members.map { "/proc/\($0.number)/smaps_rollup" }
    return Memory(all: Self.sum("Pss:", files), ofFiles: Self.sum("Pss_File:", files))
  }

  /// The processor time of those that run, the kernel's included, in seconds.
  var processorTime: Double { Double(members.reduce(0) { $0 + $1.ticks }) / Self.ticksPerSecond }

  private struct Member {
    let number: Int
    let parent: Int
    let ticks: Int
  }

  private var members: [Member] {
    let all = Self.all
    var found = all.filter { $0.number == root }
    var next = 0
    while next < found.count {
      found += all.filter { $0.parent == found[next].number }
      next += 1
    }
    return found
  }

  private static var all: [Member] {
    // A kernel without the folder knows no processes.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int($0) }.compactMap(member)
  }

  private static func member(_ number: Int) -> Member? {
    // A process that has ended meanwhile is no member.
    guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(number)/stat")) else {
      return nil
    }
    // The name, in parentheses, may contain anything.
    let text = String(decoding: data, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 12, let parent = Int(fields[1]), let user = Int(fields[11]),
      let kernel = Int(fields[12])
    else { return nil }
    return Member(number: number, parent: parent, ticks: user + kernel)
  }

  private static func sum(_ name: String, _ files: [String]) -> Double {
    files.reduce(0) { sum, file in
      let words = Machine.value(of: name, in: file)?.split(separator: " ") ?? []
      return sum + (words.first.flatMap { Double($0) } ?? 0) * 1024 / 1_000_000
    }
  }

  /// The unit of `/proc`, which is the same on every machine.
  private static let ticksPerSecond = 100.0
}
