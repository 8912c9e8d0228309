extension Duration {
  /// The duration in nanoseconds.
  public var nanoseconds: Double { self / .nanoseconds(1) }

  /// The duration in microseconds.
  public var microseconds: Double { self / .microseconds(1) }

  /// The duration in milliseconds.
  public var milliseconds: Double { self / .milliseconds(1) }
}
