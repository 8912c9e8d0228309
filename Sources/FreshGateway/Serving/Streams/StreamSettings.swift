#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import NIOHTTP2

  extension NIOHTTP2Handler.Configuration {
    /// What clients of HTTP/2 may do. Beyond it their connection ends, and GOAWAY says why; what is not named here has
    /// the library's limits: 200 frames of PING, SETTINGS and PRIORITY and 200 broken streams in half a minute, an empty
    /// DATA.
    init(_ limits: GatewayLimits) {
      self.init()
      connection.initialSettings = [
        HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.streams),
        HTTP2Setting(parameter: .maxHeaderListSize, value: limits.head.listSize),
      ]
      // As many full frames as such a head takes, and some that are not full.
      connection.maximumSequentialContinuationFrames = limits.head.listSize / 16_384 + 5
      // What a client has sent before it hears that a stream was reset is dropped; of one that is forgotten it would be
      // an error of the connection.
      connection.maximumRecentlyResetStreams = max(32, 2 * limits.streams)
      // What has come in does not wait here, but in the streams.
      connection.targetWindowSize = 1 << 20
      stream.targetWindowSize = StreamHandler.window
      // The connection counts them itself (``StreamConnection/noteReset()``): the library would tell the client that no
      // stream of it was begun, and it might ask for all of them again. It counts those that never became one.
      stream.streamResetFrameRateLimit.maximumCount = 4 * limits.streamResets
      stream.streamResetFrameRateLimit.windowLength = .seconds(30)
    }
  }

  extension HeadLimits {
    /// What the library takes of a head, as SETTINGS_MAX_HEADER_LIST_SIZE counts it, with 32 bytes for each field (RFC
    /// 9113 section 6.5.2). A head that is larger than the limits is refused with a status up to this, which is twice as
    /// much, and 64 KiB more than a small limit; beyond it the connection ends.
    var listSize: Int {
      // The setting has 32 bits.
      let (bytes, fields) = (min(bytes, 1 << 30), min(fields, 1 << 20))
      return bytes + max(bytes, 64 << 10) + 32 * (fields + 8)
    }
  }
#endif
