#if HTTP
  internal import NIOCore
  internal import Synchronization

  /// The requests that an origin has received, and its open connections.
  final class OriginRecord: Sendable {
    private struct State {
      var requests: [OriginServer.Request] = []
      var connections: [ObjectIdentifier: any Channel] = [:]
      var isClosed = false
    }

    private let state = Mutex(State())

    var requests: [OriginServer.Request] { state.withLock { $0.requests } }

    func add(_ request: OriginServer.Request) {
      state.withLock { $0.requests.append(request) }
    }

    /// False when the server was stopped first: the connection has to be closed.
    func open(_ channel: any Channel) -> Bool {
      state.withLock { state in
        guard !state.isClosed else { return false }
        state.connections[ObjectIdentifier(channel)] = channel
        return true
      }
    }

    func closed(_ channel: any Channel) {
      state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    func closeAll() async {
      let connections = state.withLock { state in
        state.isClosed = true
        return Array(state.connections.values)
      }
      for connection in connections {
        // It fails only for a connection that is already closed.
        try? await connection.close().get()
      }
    }
  }
#endif
