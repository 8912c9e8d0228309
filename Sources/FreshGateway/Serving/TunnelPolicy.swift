/// Which tunnels a proxy makes for clients (`CONNECT`, RFC 9110 section 9.3.6).
package struct TunnelPolicy: Sendable, Hashable {
  /// The ports that they may lead to.
  package var ports: Set<Int>

  package init(ports: Set<Int> = [443]) { self.ports = ports }
}
