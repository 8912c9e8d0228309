#if CommandLine
  extension Console {
    /// Says on a terminal how long work takes, once that is a second.
    static func whileWorking<Result>(
      _ words: String, _ work: () async throws -> Result
    ) async rethrows -> Result {
      guard Process.errorIsTerminal else { return try await work() }
      let start = ContinuousClock.now
      let telling = Task {
        var seconds = 1
        while true {
          do {
            try await ContinuousClock().sleep(until: start + .seconds(seconds))
          } catch {
            // The work has ended.
            return
          }
          progress("\(words), \(seconds) s")
          seconds += 1
        }
      }
      do {
        let result = try await work()
        await end(telling)
        return result
      } catch {
        await end(telling)
        throw error
      }
    }

    private static func end(_ telling: Task<Void, Never>) async {
      telling.cancel()
      await telling.value
      endProgress()
    }
  }
#endif
