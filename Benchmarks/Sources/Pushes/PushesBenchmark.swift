internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import FreshSync
internal import Workload

/// Measures how fast a synchronizer sends what waits in the outbox, and what large bodies take of the disk.
@main
struct PushesBenchmark {
  private static let latency = Duration.milliseconds(50)

  static func main() async {
    await Program.run { options in
      guard options.part.isEmpty else { Program.refuse(options.part) }
      var presentation = Presentation(subject: "pushes", options)
      let place = try await Place(records: 0)
      let isQuick = options.isQuick
      presentation.add(
        try await rates(in: place, writes: isQuick ? 100 : 1000, rounds: isQuick ? 1 : 5))
      presentation.add(try await footprint(in: place, photos: isQuick ? 5 : 100))
      try place.remove()
      try presentation.finish()
    }
  }

  private static func rates(in place: Place, writes: Int, rounds: Int) async throws -> Section {
    var section = Section(
      "\(writes) small local writes to a source 50 ms away",
      columns: [
        "requests at once", "writes in each", "median s", "writes a second",
        "of what the latency allows",
      ])
    for (places, batch) in [(4, 1), (16, 1), (64, 1), (4, 50)] {
      var times: [Double] = []
      for round in 0..<rounds {
        times.append(
          try await seconds(
            at: try place.copy("pushes-\(places)-\(batch)-\(round)"), writes: writes,
            places: places, batch: batch))
      }
      let time = Samples(times).median
      let (rate, allowed) = (Double(writes) / time, Double(places * batch) / 0.05)
      section.add(row: [
        "\(places)", "\(batch)", time.figures, rate.figures,
        "\((rate / allowed * 100).figures) %",
      ])
      section.add(Figure("\(places) requests of \(batch) at once", rate, "writes/s"))
      if places * batch > 50 { section.judge("writes a second", rate, atLeast: 500, "") }
    }
    return section
  }

  private static func seconds(
    at path: String, writes: Int, places: Int, batch: Int
  ) async throws -> Double {
    let store = try Store(path: path)
    let people = try store.collection("people", of: Person.self)
    try await people.write(
      Dictionary(uniqueKeysWithValues: (0..<writes).map { ("\($0)", Person($0)) }))
    var options = SyncOptions()
    (options.concurrency, options.concurrencyPerOrigin) = (places, places)
    let synchronizer = Synchronizer(store, options: options)
    // The way to the source and back, which is what is measured against.
    if batch == 1 {
      synchronizer.add(people) { _ in
        .notModified
      } push: { _ in
        try await Task.sleep(for: latency)
        return .accepted
      }
    } else {
      synchronizer.add(people, batch: batch) { _ in
        [:]
      } pushAll: { writes in
        try await Task.sleep(for: latency)
        return Dictionary(uniqueKeysWithValues: writes.map { ($0.key, .accepted) })
      }
    }
    let start = ContinuousClock.now
    let report = try await synchronizer.drain()
    let time = ContinuousClock.now - start
    guard report.pushed == writes else {
      throw BenchmarkFailure(words: "\(report.pushed) were sent")
    }
    try await store.close()
    return time / .seconds(1)
  }

  private static func footprint(in place: Place, photos: Int) async throws -> Section {
    let size = 5_000_000
    let path = try place.copy("photos")
    let store = try Store(path: path)
    let bodies = try store.bytes("photos")
    for number in 0..<photos {
      try await bodies.write([UInt8](repeating: UInt8(number % 256), count: size), for: "\(number)")
    }
    let files = [path, path + "-wal"]
    let bytes = try files.reduce(0) { sum, file in
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      return sum + (attributes[.size] as? Int ?? 0)
    }
    try await store.close()
    var section = Section(
      "\(photos) photos of 5 MB that wait to be sent",
      columns: ["bytes of all", "on disk", "ratio"])
    let ratio = Double(bytes) / Double(photos * size)
    section.add(row: ["\(photos * size)", "\(bytes)", ratio.figures])
    section.judge("bytes on disk for each byte", ratio, atMost: 1.1, "")
    return section
  }
}
