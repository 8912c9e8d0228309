#if CommandLine
  internal import FreshHTTP

  /// The proxies that the environment names.
  enum Proxies {
    static func ofEnvironment() throws(CommandFailure) -> ProxySettings {
      do throws(HTTPFetchError) {
        return try ProxySettings(environment: Process.environment)
      } catch {
        throw CommandFailure(.usage, "\(error)")
      }
    }
  }
#endif
