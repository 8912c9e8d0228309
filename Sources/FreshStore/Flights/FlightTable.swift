internal import Synchronization

/// The fetches under way in this process for one collection and one type of value.
final class FlightTable<Value: Sendable>: FlightRegistry, Sendable {
  private let flights = Mutex<[ExactKey: Flight<Value>]>([:])

  /// Who fetches which of the wanted keys.
  struct Boarding {
    /// Flights already under way, by key.
    var joined: [String: Flight<Value>] = [:]
    /// The new flight, and its keys.
    var started: (flight: Flight<Value>, keys: [String])?
  }

  /// Joins the flights that are under way and opens one for all other keys.
  ///
  /// `newest` is the number of the newest invalidation a caller knows of a key: a flight that began
  /// before it cannot satisfy that caller. Every joined flight, and the new one for each of its keys
  /// unless it is a background one, is owed one call of ``Flight/outcome(of:softTimeout:clock:)``.
  func board(_ wanted: [(key: String, newest: Int64)], isBackground: Bool) -> Boarding {
    flights.withLock { flights in
      var boarding = Boarding()
      var keys: [String] = []
      for (key, newest) in wanted {
        if let flight = flights[ExactKey(key)], flight.fence.load(ordering: .relaxed) > newest,
          flight.join()
        {
          boarding.joined[key] = flight
        } else {
          keys.append(key)
        }
      }
      if !keys.isEmpty {
        let flight = Flight<Value>(isBackground: isBackground)
        for key in keys {
          flights[ExactKey(key)] = flight
          if !isBackground { _ = flight.join() }
        }
        boarding.started = (flight, keys)
      }
      return boarding
    }
  }

  /// Takes a key off the table when its flight has landed.
  func land(_ flight: Flight<Value>, _ key: String) {
    flights.withLock { flights in
      let key = ExactKey(key)
      if flights[key] === flight { flights[key] = nil }
    }
  }

  /// Lets no newcomer join the flights of matching keys: what they bring is already outdated.
  func close(where matches: (String) -> Bool) {
    flights.withLock { flights in
      flights = flights.filter { !matches($0.key.text) }
    }
  }

  /// Ends every flight and returns when their leases are given back.
  func cancelAll() async {
    let flights = flights.withLock { flights in
      defer { flights = [:] }
      return Array(flights.values)
    }
    for flight in flights { await flight.cancel() }
  }
}
