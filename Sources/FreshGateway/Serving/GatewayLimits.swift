package import FreshHTTP

/// What a client, an origin and an answer may take of a gateway.
package struct GatewayLimits: Sendable, Hashable {
  /// The request's head and content.
  package var head = HeadLimits()
  /// How long a head may take, from its first byte: 408.
  package var headTime: Duration = .seconds(10)
  /// How long a connection may wait for its next request.
  package var idleTime: Duration = .seconds(60)
  /// How long a client may send none of the content that it has announced, or take nothing of its answer.
  package var stallTime: Duration = .seconds(60)
  /// How long an exchange that holds a connection to an origin may wait for its client until that counts as slow: of one
  /// client at one origin only half as many as there are connections may.
  package var clientPatience: Duration = .seconds(1)
  /// How long a request may take in all.
  package var totalTime: Duration = .seconds(3600)
  /// The most connections, and the most of one peer: 503.
  package var connections = 10_000
  package var connectionsPerPeer = 5_000
  /// The most streams that a connection of HTTP/2 may have open at once.
  package var streams = 100
  /// How often it may reset streams within half a minute; beyond it the connection ends.
  package var streamResets = 500
  /// The most connections of operators; one too many is closed.
  package var adminConnections = 64
  /// How long an origin may take to its head, once it has all of the request: 504.
  package var originTime: Duration = .seconds(60)
  /// How long a request waits for the head of an answer that somebody else has asked for; then it asks once more, together
  /// with all who have waited as long.
  package var joinTime: Duration = .seconds(5)
  /// How long an origin may send nothing.
  package var originSilence: Duration = .seconds(60)
  /// After how many failures in a row an origin is left alone for a while; 0 for never.
  package var originFailures = 5
  /// The longest time for which it is left alone, whatever its answers name (`Retry-After`); the first is a second, and
  /// each further one up to twice as long.
  package var originPause: Duration = .seconds(10)
  /// How long a store that has not taken a mark is left alone before the next attempt.
  package var storePause: Duration = .seconds(2)
  /// How long nothing may pass through a tunnel.
  package var tunnelIdleTime: Duration = .seconds(300)
  /// The largest content that is stored, in bytes; what is larger is passed on, each time anew.
  package var storedContent = 1 << 30
  /// The largest that is checked by rules, for which it is held in memory until it is whole; what is larger is passed on
  /// unchecked, and not stored.
  package var checkedContent = 8 << 20
  /// The bytes of answers that may wait in memory at once until they are written; what is beyond is passed on without
  /// being stored.
  package var contentOnItsWay = 128 << 20
  /// The bytes in memory that clients may have the gateway hold at once: answers that they do not take, content that their
  /// origins do not, and what each request needs beside. What waits on one connection may be an eighth of it, what
  /// requests need half of it, and those of one client a quarter.
  package var clientMemory = 256 << 20
  /// The bytes on the disk that all answers on their way may take together; `nil` for no limit. What finds no room
  /// is passed on without being stored.
  package var contentOnDisk: Int?

  /// The files and sockets that a process opens with so many connections: each may have one to an origin, and the
  /// store and the log have theirs.
  package var openFiles: Int { connections + adminConnections + 1280 }

  /// The defaults.
  package init() {}
}
