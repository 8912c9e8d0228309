#if Fleet
  import FreshStore

  /// Gets, and changes of the source with their marks, at random, until it is cancelled.
  ///
  /// Each key has one process that changes it. That process never gets a value older than the one
  /// that it has marked itself.
  struct FleetChurn: Sendable {
    /// An observed violation.
    struct Wrong: Error, CustomStringConvertible {
      let description: String
    }

    let host: FleetHost
    let values: RecordCollection<String>
    let keys: Int
    let number: Int
    let processes: Int

    func run() async throws -> String {
      var (gets, marks, failed) = (0, 0, 0)
      var own: [Int: Int64] = [:]
      while !Task.isCancelled {
        let key = Int.random(in: 0..<keys)
        if key % processes == number, Int.random(in: 0..<10) < 3 {
          let value = try host.shelf.number(at: .origin(key)) + 1
          try host.shelf.set(value, at: .origin(key))
          do throws(StoreError) {
            try await values.markStale("\(key)")
          } catch {
            // Nobody relies on it, if the tier is the reason.
            guard error.sharedTierFailure != nil else { throw error }
            failed += 1
            continue
          }
          try host.shelf.set(value, at: .acknowledged(key))
          own[key] = value
          marks += 1
          continue
        }
        gets += 1
        do {
          let shelf = host.shelf
          let got = try await host.get("\(key)", in: values) {
            "\(try shelf.number(at: .origin(key)))"
          }
          let least = own[key] ?? 0
          guard let value = Int64(got.value), value >= least else {
            throw Wrong(description: "\(key) is \(got.value) after \(least) was marked here")
          }
        } catch let error as GetError {
          // A lease of a host that is gone takes its time.
          if Task.isCancelled { break }
          throw Wrong(description: "\(error)")
        }
      }
      return "stopped \(gets) \(marks) \(failed)"
    }
  }
#endif
