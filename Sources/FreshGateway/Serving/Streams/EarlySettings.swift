#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import NIOHTTP2

  /// Makes the HTTP/2 library apply the gateway's settings from a client's first request on.
  ///
  /// The library applies them when the client acknowledges them, and first requests do not wait for this. Until then a
  /// header section of more than 16 KiB would end the connection. Clients need not know these settings before they
  /// send. So this handler inserts an acknowledgement behind the client's own settings, which begin each connection
  /// (RFC 9113 section 3.4). It drops the client's own acknowledgement.
  final class EarlySettings: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Phase {
      /// The 24 bytes with which a client begins.
      case preface
      /// The client's settings.
      case settings
      /// The frames before the client's acknowledgement.
      case frames
      /// Everything else, which passes unchanged.
      case over
    }

    private var phase = Phase.preface
    /// The bytes of the preface, or of a frame, that are still to be passed on.
    private var left = 24
    /// The beginning of a frame whose length is not known yet.
    private var held = ByteBuffer()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard phase != .over else { return context.fireChannelRead(data) }
      var bytes = unwrapInboundIn(data)
      if held.readableBytes > 0 {
        held.writeBuffer(&bytes)
        bytes = held
        held = ByteBuffer()
      }
      var passed = ByteBuffer()
      passed.reserveCapacity(bytes.readableBytes + Self.acknowledgement.count)
      while phase != .over, bytes.readableBytes > 0 {
        if left > 0 {
          pass(from: &bytes, to: &passed)
        } else if bytes.readableBytes < Self.frameHead {
          (held, bytes) = (bytes, ByteBuffer())
        } else {
          beginFrame(&bytes)
        }
      }
      passed.writeBuffer(&bytes)
      if passed.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(passed)) }
    }

    private func pass(from bytes: inout ByteBuffer, to passed: inout ByteBuffer) {
      let count = min(left, bytes.readableBytes)
      if var part = bytes.readSlice(length: count) { passed.writeBuffer(&part) }
      left -= count
      guard left == 0, phase == .settings else { return }
      passed.writeBytes(Self.acknowledgement)
      phase = .frames
    }

    private func beginFrame(_ bytes: inout ByteBuffer) {
      let start = bytes.readerIndex
      guard let word = bytes.getInteger(at: start, as: UInt32.self),
        let flags = bytes.getInteger(at: start + 4, as: UInt8.self)
      else { return }
      let (length, kind) = (Int(word >> 8), UInt8(truncatingIfNeeded: word))
      let acknowledges = kind == Self.settings && flags & 1 == 1
      switch phase {
      case .preface:
        // The library refuses a client that begins with another frame.
        phase = kind == Self.settings && !acknowledges ? .settings : .over
      case .frames where acknowledges && length == 0:
        bytes.moveReaderIndex(forwardBy: Self.frameHead)
        phase = .over
      default: break
      }
      if phase != .over { left = Self.frameHead + length }
    }

    /// The length of a frame's header: length, type, flags and stream.
    private static let frameHead = 9
    private static let settings: UInt8 = 4
    /// A SETTINGS frame with the ACK flag.
    private static let acknowledgement: [UInt8] = [0, 0, 0, settings, 1, 0, 0, 0, 0]
  }

  extension NIOHTTP2Handler.Configuration {
    /// The limits for clients of HTTP/2. A client that exceeds one gets a GOAWAY frame with the reason, and its
    /// connection ends. Other limits are those of the library: 200 PING, SETTINGS and PRIORITY frames and 200 broken
    /// streams in half a minute, one empty DATA frame.
    init(_ limits: GatewayLimits) {
      self.init()
      connection.initialSettings = [
        HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.streams),
        HTTP2Setting(parameter: .maxHeaderListSize, value: limits.head.listSize),
      ]
      // As many full frames as such a header section needs, and some that are not full.
      connection.maximumSequentialContinuationFrames = limits.head.listSize / 16_384 + 5
      // The library drops what a client sends before it learns of a reset. For a stream that the library has forgotten,
      // it would end the connection instead.
      connection.maximumRecentlyResetStreams = max(32, 2 * limits.streams)
      // Received data waits in the streams, not here.
      connection.targetWindowSize = 1 << 20
      stream.targetWindowSize = StreamHandler.window
      // ``StreamConnection/noteReset()`` counts resets. The library would tell the client that none of its streams was
      // begun, and the client might repeat all requests. The library's count includes frames that never became a
      // stream.
      stream.streamResetFrameRateLimit.maximumCount = 4 * limits.streamResets
      stream.streamResetFrameRateLimit.windowLength = .seconds(30)
    }
  }

  extension HeadLimits {
    /// The library's limit for a header section, as SETTINGS_MAX_HEADER_LIST_SIZE counts it: with 32 bytes for each
    /// field (RFC 9113 section 6.5.2). It is twice the gateway's limit, and at least 64 KiB more. A header section
    /// between both limits is refused with a status. A larger one ends the connection.
    var listSize: Int {
      // The setting has 32 bits.
      let (bytes, fields) = (min(bytes, 1 << 30), min(fields, 1 << 20))
      return bytes + max(bytes, 64 << 10) + 32 * (fields + 8)
    }
  }
#endif
