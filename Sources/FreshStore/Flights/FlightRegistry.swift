/// A flight table whose type of value does not matter.
protocol FlightRegistry: AnyObject, Sendable {
  /// Lets no newcomer join the flights of matching keys.
  func close(where matches: (String) -> Bool)
  /// Ends every flight and returns when their leases are given back.
  func cancelAll() async
}
