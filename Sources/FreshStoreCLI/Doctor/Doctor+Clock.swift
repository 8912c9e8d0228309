#if CommandLine
  internal import FreshStore
  internal import FreshStoreTools
  internal import Strategies

  extension Doctor {
    /// Whether the wall clock can be relied on.
    var clock: [Finding] { [steps, synchronisation] }

    private var steps: Finding {
      guard case .store(let facts) = diagnosis.content else {
        return .ok("clock", "it is \(diagnosis.now.wall)")
      }
      guard facts.futureUpdates > 0, let latest = facts.latestUpdate else {
        let boot =
          switch facts.checkedBoot {
          case 0: "the store has not met a boot in which it was left open"
          case diagnosis.now.boot: "the store was looked over in this boot"
          default: "the store was last looked over in another boot"
          }
        return .ok("clock", "no record is from the future; \(boot)")
      }
      return .warning(
        "clock",
        "records that were last updated in the future: \(facts.futureUpdates), up to \(latest): the clock was set "
          + "back, and they count as stale",
        "see to it that the clock is right; a get or freshstore sweep --refetch brings them in order"
      )
    }

    private var synchronisation: Finding {
      switch SystemClock.isSynchronised {
      case true?: .ok("time-source", "the kernel says that the clock is kept right")
      case false?:
        .warning(
          "time-source",
          "the kernel says that nobody keeps the clock right: ages across boots may be wrong",
          "run a time service such as systemd-timesyncd or chrony; a container may leave that to its host"
        )
      case nil: .ok("time-source", "the system does not say whether the clock is kept right")
      }
    }
  }
#endif
