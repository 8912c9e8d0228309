package import FreshStore

extension Policy {
  /// This policy, by which only copies that answer requests of the configuration are served.
  package func from(_ configuration: HTTPConfiguration) -> Policy {
    accepting { configuration.selects(variant: $0) }
  }
}
