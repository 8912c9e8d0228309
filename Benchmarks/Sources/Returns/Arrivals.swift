/// The moments that are awaited after a return of the network.
struct Arrivals: Sendable {
  /// The monitor has reported the change.
  let change = FirstMoment()
  /// The synchronizer has begun to send a local write.
  let push = FirstMoment()
  /// Local writes that are being sent.
  let underWay = UnderWay()
  /// The origin has accepted a connection.
  let connection = FirstMoment()
  /// Bytes have arrived at the origin.
  let request = FirstMoment()

  /// Waits for the first of each from now on.
  func begin() {
    for moment in [change, push, connection, request] { moment.begin() }
  }
}
