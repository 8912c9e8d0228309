#if CommandLine
  internal import FreshGateway
  internal import FreshStore
  internal import Platform
  internal import Synchronization

  /// A gateway that runs until the task is cancelled, and then ends in order.
  struct ServeRun {
    let store: Store
    let options: GatewayOptions
    /// How long requests in flight may take to end.
    let grace: Duration
    /// The most bytes that records may take; `nil` for no limit.
    let maximumBytes: Int?
    /// The log; `nil` for none.
    let log: LogFile?
    /// The tokens of operators; `nil` for none.
    let tokens: TokenFile?
    let hangups: Hangups
    /// The requests to reopen the log.
    let reopenings: Hangups
    let running: ServedGateway

    func run() async throws(CommandFailure) {
      allowFiles()
      let (notices, notice) = AsyncStream.makeStream(
        of: String.self, bufferingPolicy: .bufferingNewest(64))
      let telling = Task { for await words in notices { Console.note(words) } }
      defer { notice.finish() }
      var options = options
      options.tell = { notice.yield($0) }
      let occasions = Hangups()
      options.makeRoom = { occasions.note() }
      let gateway: Gateway
      do throws(GatewayError) {
        gateway = try await Gateway.start(options, on: store)
        running.begin(gateway)
      } catch {
        throw Self.failure(error)
      }
      let upkeep = Task { await keepUp(gateway, at: occasions) }
      let rereading = Task { await reread(for: gateway) }
      let reopening = Task { await reopenLog() }
      defer {
        upkeep.cancel()
        rereading.cancel()
        reopening.cancel()
      }
      do throws(CommandFailure) {
        try StandardOutput.line("listening on \(Self.address(gateway))")
        if let port = gateway.adminPort {
          let host = options.admin?.host ?? gateway.host
          Console.note("figures on http://\(Self.authority(host, port))/metrics")
          if gateway.isAdminForOthers {
            Console.note(
              "whoever reaches --admin sees the figures, and with a token purges copies: keep others from it, or have "
                + "--admin name an address of this machine alone")
          }
        }
        if options.origin == nil, gateway.isForOthers {
          Console.note(
            "whoever reaches this proxy can use it, and reaches by it what this machine does"
              + (options.reachesMachine ? "" : ", but for this machine itself")
              + ": keep others from it, or have --listen name an address of this machine alone")
        }
        ServiceManager.tell("READY=1\nSTATUS=listening on \(Self.address(gateway))")
      } catch {
        await gateway.close()
        throw error
      }
      await waitForCancellation()
      ServiceManager.tell("STOPPING=1")
      let grace = grace
      // This task is cancelled, and would cancel the drain, too.
      let isSettled = await Task { await gateway.drain(within: grace) }.value
      running.end()
      notice.finish()
      await telling.value
      guard isSettled else {
        throw CommandFailure(.store, "the store did not take the marks that are named above")
      }
    }

    /// Raises the limit of open files to what the limit of connections may need.
    private func allowFiles() {
      let needed = options.limits.openFiles
      do throws(ErrorNumber) {
        let allowed = try OpenFileLimit.raise(to: needed)
        guard allowed < needed else { return }
        Console.note(
          "the system allows \(allowed) open files, and \(options.limits.connections) connections may need "
            + "\(needed): raise its hard limit (ulimit -Hn), or lower --max-connections")
      } catch {
        Console.note("the system does not say how many files may be open: \(error)")
      }
    }

    private func waitForCancellation() async {
      do {
        while true { try await Task.sleep(for: .seconds(86_400)) }
      } catch {
        // The task was cancelled.
      }
    }

    /// Reads the certificate, the tokens and the log again whenever that is asked for, and reports it. A file that
    /// cannot be used changes nothing.
    private func reread(for gateway: Gateway) async {
      for await _ in hangups.stream {
        var done: [String] = []
        do throws(CommandFailure) {
          try rereadIdentity(of: gateway)
          if gateway.isSecure { done.append("the certificate and its key were read again") }
        } catch {
          Console.note("\(error.message ?? ""); the old ones stay in use")
        }
        do throws(CommandFailure) {
          try tokens?.reread()
          if tokens != nil { done.append("the tokens were read again") }
        } catch {
          Console.note("\(error.message ?? ""); the old ones stay in use")
        }
        do throws(CommandFailure) {
          try log?.reopen()
          if log?.isFile == true {
            done.append("the log goes on in the file that has its name now")
          }
        } catch {
          Console.note("\(error.message ?? ""); lines go on to the file that is open")
        }
        if !gateway.isSecure, tokens == nil, log?.isFile != true {
          done.append("there is no certificate, no file of tokens and no log to read again")
        }
        if !done.isEmpty { Console.note("SIGHUP: \(done.joined(separator: "; "))") }
      }
    }

    /// Reopens the log whenever that is asked for; a log that is no file goes on as it is.
    private func reopenLog() async {
      for await _ in reopenings.stream {
        guard let log, log.isFile else { continue }
        do throws(CommandFailure) {
          try log.reopen()
          Console.note("SIGUSR1: the log goes on in the file that has its name now")
        } catch {
          Console.note("\(error.message ?? ""); lines go on to the file that is open")
        }
      }
    }

    /// Reads the certificate and its key again, with the checks of the start.
    private func rereadIdentity(of gateway: Gateway) throws(CommandFailure) {
      try options.certificate?.checkExposure()
      do throws(GatewayError) {
        try gateway.reread()
      } catch {
        throw Self.failure(error)
      }
    }

    /// Removes records beyond the limit whenever much was stored, and does each minute what a timer would do.
    private func keepUp(_ gateway: Gateway, at occasions: Hangups) async {
      let minute = Duration.seconds(60)
      var next = ContinuousClock.now + minute
      let timer = Task {
        while !Task.isCancelled {
          do {
            try await Task.sleep(for: minute)
          } catch {
            return
          }
          occasions.note()
        }
      }
      defer { timer.cancel() }
      for await _ in occasions.stream {
        let isMinute = ContinuousClock.now >= next
        await keepUp(sweeps: isMinute)
        guard isMinute else { continue }
        repeat { next += minute } while next <= .now
        // The removal may have made room.
        await gateway.retryStore()
      }
    }

    /// Removes records beyond the limit, and marks expired ones.
    private func keepUp(sweeps: Bool) async {
      do throws(StoreError) {
        if let maximumBytes {
          var prune = PruneOptions()
          prune.maximumBytes = maximumBytes
          _ = try await store.prune(prune)
        }
        if sweeps { _ = try await store.sweep() }
      } catch {
        // Another process is sweeping.
        if case .sweepUnderWay = error.code { return }
        Console.note("\(error)")
      }
    }

    private static func address(_ gateway: Gateway) -> String {
      "\(gateway.isSecure ? "https" : "http")://\(authority(gateway.host, gateway.port))"
    }

    private static func authority(_ host: String, _ port: Int) -> String {
      host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private static func failure(_ error: GatewayError) -> CommandFailure {
      switch error {
      case .store(let error): CommandFailure(error)
      case .badOption, .connection: CommandFailure(.usage, "\(error)")
      case .listening, .file: CommandFailure(.inputOutput, "\(error)")
      }
    }
  }

  /// The requests of operators: by SIGHUP to read files again, or by SIGUSR1 to reopen the log. Requests that come
  /// while one is handled count as one.
  struct Hangups: Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
      (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Any thread may call this.
    func note() { continuation.yield() }
  }

  /// The running gateway, if any, for the thread that ends the program at once (``Interruption``).
  final class ServedGateway: Sendable {
    private let gateway = Mutex<Gateway?>(nil)

    func begin(_ gateway: Gateway) { self.gateway.withLock { $0 = gateway } }

    /// Notes that the gateway has ended in order and has reported everything.
    func end() { gateway.withLock { $0 = nil } }

    var lastWords: String? { gateway.withLock { $0 }?.lastWords }
  }

  extension GatewayOptions.Certificate {
    /// Throws for a private key that other users can read, in whichever file it is.
    func checkExposure() throws(CommandFailure) {
      guard key != chain || Self.holdsKey(chain) else { return }
      try PrivateFile.checkExposure(of: "the private key", in: key)
    }

    /// False for a file that holds only certificates, which are no secrets, and for a file that cannot be read. The
    /// reader of the key reports that it is missing.
    private static func holdsKey(_ path: String) -> Bool {
      do throws(Descriptor.Failure) {
        let bytes = try Descriptor.read(path: path, limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).contains("PRIVATE KEY-----")
      } catch {
        return false
      }
    }
  }
#endif
