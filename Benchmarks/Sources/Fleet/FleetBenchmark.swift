internal import BenchmarkKit
internal import Dispatch
internal import Foundation
internal import Glibc
internal import Workload

/// Measures what a fleet costs a host and its database.
@main
struct FleetBenchmark {
  /// The main thread waits here: valgrind fails in the one that Dispatch makes of it otherwise.
  static func main() {
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      await Program.run { options in
        switch (options.part.first, options.part.count) {
        case (nil, _): try await measure(options)
        case ("count", 3): try await count(options.part)
        default: Program.refuse(options.part)
        }
      }
      isDone.signal()
    }
    isDone.wait()
  }

  private static func measure(_ options: Options) async throws {
    var presentation = Presentation(subject: "fleet", options)
    let isQuick = options.isQuick
    let (database, place) = (try await Database(), try await Place(records: 0))
    // Not by an argument, which everybody on the machine can read.
    unsafe setenv(addressVariable, database.address, 1)
    presentation.add(
      try await LocalHits(in: place, address: database.address).measure(isQuick: isQuick))
    if InstructionCount.isPossible, !isQuick {
      presentation.add(try LocalHits.instructions())
    }
    presentation.add(try await SharedHits(database, place, isQuick: isQuick).measure())
    presentation.add(try await Marks(database, place, isQuick: isQuick).measure())
    presentation.add(try await Claims(database, isQuick: isQuick).measure())
    try database.end()
    try place.remove()
    try presentation.finish()
  }

  private static let addressVariable = "FLEET_ADDRESS"

  /// `count CONTESTANT TURNS`, with the address in `FLEET_ADDRESS`.
  private static func count(_ arguments: [String]) async throws {
    guard let contestant = Int(arguments[1]), let turns = Int(arguments[2]),
      let address = ProcessInfo.processInfo.environment[addressVariable]
    else { exit(64) }
    let place = try await Place(records: 0)
    let hits = try await LocalHits(in: place, address: address)
    let section = InstructionCount.work(contestant, of: hits.contestants, turns: turns)
    FileHandle.standardOutput.write(try JSONEncoder().encode(section))
    try place.remove()
    // Not closed: valgrind fails when the threads of Dispatch end.
    exit(0)
  }
}
