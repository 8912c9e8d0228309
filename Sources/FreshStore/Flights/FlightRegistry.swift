/// A flight table of any value type.
protocol FlightRegistry: AnyObject, Sendable {
  /// Blocks newcomers from the flights of matching keys.
  func close(where matches: (String) -> Bool)
  /// Ends every flight and returns when their leases are released.
  func cancelAll() async
}
