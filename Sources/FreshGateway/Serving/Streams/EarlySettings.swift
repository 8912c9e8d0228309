#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import NIOHTTP2

  /// Has the library heed the gateway's settings from the first request of a client on.
  ///
  /// It does so once the client has acknowledged them, for which no first request waits, and until then a head of more
  /// than 16 KiB ends the connection. What is set here asks nothing of a client that it had to know before, so the
  /// acknowledgement is put behind the client's own settings, with which each connection begins (RFC 9113 section 3.4),
  /// and the client's own is left out once it comes.
  final class EarlySettings: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Phase {
      /// The 24 bytes with which a client begins.
      case preface
      /// Its settings.
      case settings
      /// What comes before its acknowledgement.
      case frames
      /// Nothing is looked at any more.
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
        // Whoever begins with anything else is told so by the library.
        phase = kind == Self.settings && !acknowledges ? .settings : .over
      case .frames where acknowledges && length == 0:
        bytes.moveReaderIndex(forwardBy: Self.frameHead)
        phase = .over
      default: break
      }
      if phase != .over { left = Self.frameHead + length }
    }

    /// The length of what stands before the payload of a frame: its length, its kind, its flags and its stream.
    private static let frameHead = 9
    private static let settings: UInt8 = 4
    /// A frame of SETTINGS with the flag ACK.
    private static let acknowledgement: [UInt8] = [0, 0, 0, settings, 1, 0, 0, 0, 0]
  }

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
