import Foundation
import FreshStoreTesting

/// The files after a power cut: all data that was written to a file before it was last synced, and
/// of the rest any part, sector by sector. Or after a kill: all data that was written.
struct PowerCut {
  /// Smaller than a page, so that pages are torn.
  private static let sector = 512

  private let events: [RecordingDisk.Event]
  private let cut: Int
  private let end: Ledger.End
  private var generator: SeededGenerator
  private var files: [String: [UInt8]]

  /// - Parameters:
  ///   - files: The files before the first event.
  ///   - cut: The number of events before the cut.
  init(
    _ events: [RecordingDisk.Event], after cut: Int, files: [String: [UInt8]], seed: UInt64,
    end: Ledger.End = .powerCut
  ) {
    self.events = events
    self.cut = cut
    self.end = end
    self.files = files
    generator = SeededGenerator(seed: seed)
  }

  /// The steps that were acknowledged before the cut, and those of them that must have survived it.
  var acknowledged: (steps: Int, durable: Int) {
    var result = (steps: 0, durable: 0)
    for case .acknowledged(let steps, let isDurable) in events.prefix(cut) {
      result.steps = steps
      if isDurable { result.durable = steps }
    }
    return result
  }

  /// The files after the cut.
  mutating func image() -> [String: [UInt8]] {
    var synced: [String: Int] = [:]
    for (number, event) in events.prefix(cut).enumerated() {
      if case .sync(let file) = event { synced[file] = number }
    }
    func isKept(_ number: Int, of file: String) -> Bool {
      end == .kill || number < synced[file] ?? -1
    }
    for (number, event) in events.prefix(cut).enumerated() {
      switch event {
      case .write(let file, let offset, let bytes):
        if isKept(number, of: file) {
          write(bytes[...], to: file, at: Int(offset))
        } else {
          writePart(of: bytes, to: file, at: Int(offset))
        }
      case .truncate(let file, let size):
        guard isKept(number, of: file) || Bool.random(using: &generator) else { continue }
        resize(file, to: Int(size))
      case .delete(let file):
        if end == .kill || Bool.random(using: &generator) { files[file] = nil }
      case .sync, .acknowledged: break
      }
    }
    return files
  }

  private mutating func writePart(of bytes: [UInt8], to file: String, at offset: Int) {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: break
    case 1: write(bytes[...], to: file, at: offset)
    default:
      for start in stride(from: 0, to: bytes.count, by: Self.sector)
      where Bool.random(using: &generator) {
        let end = min(start + Self.sector, bytes.count)
        write(bytes[start..<end], to: file, at: offset + start)
      }
    }
  }

  private mutating func write(_ bytes: ArraySlice<UInt8>, to file: String, at offset: Int) {
    let end = offset + bytes.count
    if files[file, default: []].count < end { resize(file, to: end) }
    files[file, default: []].replaceSubrange(offset..<end, with: bytes)
  }

  private mutating func resize(_ file: String, to size: Int) {
    let count = files[file, default: []].count
    if size < count {
      files[file, default: []].removeLast(count - size)
    } else {
      files[file, default: []].append(contentsOf: repeatElement(0, count: size - count))
    }
  }
}
