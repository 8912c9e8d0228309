/// What the close of a socket does with what was not sent yet (socket(7)).
package enum Linger {
  /// A close resets the connection: the other end sees that something is missing.
  package static var reset: linger { linger(l_onoff: 1, l_linger: 0) }
}
