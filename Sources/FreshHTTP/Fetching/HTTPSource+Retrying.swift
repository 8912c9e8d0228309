#if HTTP
  internal import FreshStore

  extension HTTPSource {
    /// Runs a fetch, and all of it again as long as the schedule allows. The caller limits the time of
    /// the whole.
    func runRetrying(
      _ plan: FetchPlan, _ progress: FetchProgress
    ) async throws(HTTPFetchError) -> Fetched<[UInt8]> {
      let clock = configuration.clock
      let start = clock.reading().sinceBoot
      var schedule = RetrySchedule(configuration.retries)
      while true {
        do throws(HTTPFetchError) {
          return try await run(plan, progress)
        } catch {
          let spent = Duration.milliseconds(clock.reading().sinceBoot - start)
          guard !transport.hasEnded,
            let pause = schedule.pause(after: error, within: configuration.timeout - spent)
          else { throw error }
          do {
            try await clock.sleep(for: pause)
          } catch {
            // A clock only throws when the task is cancelled.
            throw .cancelled(progress.address.redacted)
          }
        }
      }
    }
  }
#endif
