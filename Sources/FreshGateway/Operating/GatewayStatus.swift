#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Platform

  /// The figures of a gateway in the forms that operators read.
  struct GatewayStatus {
    let figures: GatewayFigures.Snapshot
    let flights: Int
    let pausingOrigins: Int
    /// Until when the gateway does not ask its one origin, and why; `nil` while it asks, and for a forward proxy.
    let backOff: String?
    /// Connections to origins in use, and requests that wait for one.
    let originConnections: Int
    let waitingRequests: Int
    /// Exchanges that hold a connection for a slow client.
    let slowExchanges: Int
    let lostLines: Int
    let store: QuickStatistics?
    /// `nil` for a host outside any fleet.
    let fleet: FleetStanding?
    /// The reason why the gateway does not work; `nil` while it works.
    let failure: String?
    /// Why no answers, and no long answers, are stored; `nil` while they are.
    let keeping: KeepingHealth.Failure?
    let keepingLong: KeepingHealth.Failure?
    /// The number of marks that the store has not accepted yet.
    let owedInvalidations: Int
    /// Where the damaged files of the store are, and how often the store's file was replaced. The causes are damage,
    /// deletion and other programs.
    let damagedFiles: [String]
    let storeChanges: Int

    init(_ core: GatewayCore) {
      figures = core.figures.snapshot
      flights = core.flights.count
      let now = core.store.now().wall
      pausingOrigins = core.failing.pausing(at: now)
      let pause = core.servesAnyOrigin ? nil : core.failing.longestPause(at: now)
      backOff = pause.map { core.watch.words(of: $0.origin, until: HTTPDate.format($0.end)) }
      let usage = core.forwarder.usage
      originConnections = usage.connections
      waitingRequests = usage.waiting + core.shares.waiting
      slowExchanges = core.slowClients.count
      lostLines = core.options.log?.lost ?? 0
      keeping = core.shelf.keeping.failure
      keepingLong = core.shelf.keepingLong.failure
      owedInvalidations = core.owed.count
      let changes = core.store.fileChanges
      damagedFiles = changes.movedAside
      storeChanges = changes.movedAside.count + changes.replaced
      let read = Result { () throws(StoreError) in
        (store: try core.store.quickStatistics(), fleet: try core.store.fleetStanding())
      }
      switch read {
      case .success(let read): (store, fleet, failure) = (read.store, read.fleet, nil)
      case .failure(let error):
        (store, fleet, failure) = (nil, nil, "the store cannot be read: \(error)")
      }
    }

    /// The figures in the text format of Prometheus.
    var metrics: String {
      var lines: [String] = []
      func add(_ name: String, _ kind: String, _ help: String, _ samples: [(String, String)]) {
        lines += ["# HELP freshstore_\(name) \(help)", "# TYPE freshstore_\(name) \(kind)"]
        lines += samples.map { "freshstore_\(name)\($0.0) \($0.1)" }
      }
      func add(_ name: String, _ kind: String, _ help: String, _ value: some BinaryInteger) {
        add(name, kind, help, [("", "\(value)")])
      }
      add(
        "build_info", "gauge", "1, with the version of the gateway.",
        [("{version=\"\(ProductVersion.current)\"}", "1")])
      add(
        "requests_total", "counter", "Requests that were answered, by what the answer was.",
        requests.map { ("{served=\"\($0.name)\"}", "\($0.count)") })
      add(
        "stale_total", "counter", "Answers from copies that were not fresh, by why.",
        staleAnswers.map { ("{reason=\"\($0.reason)\"}", "\($0.count)") })
      add(
        "answers_total", "counter", "Answers by the hundreds of their status.",
        (1...5).map { ("{status=\"\($0)xx\"}", "\(figures.statuses[$0])") })
      add("sent_bytes_total", "counter", "Bytes of content.", figures.bytes)
      add(
        "refusals_total", "counter", "Requests and connections that were refused.",
        figures.refusals)
      add("connections_total", "counter", "Connections.", figures.connections)
      add(
        "connections", "gauge", "Connections that are open.", figures.openConnections)
      add("flights", "gauge", "Requests that others may join.", flights)
      add(
        "origin_failures_total", "counter", "Requests to origins without an answer.",
        figures.originFailures)
      add(
        "origin_broken_answers_total", "counter",
        "Answers of origins whose content has broken off.", figures.brokenAnswers)
      add(
        "origin_answers_total", "counter", "Answers of origins by the hundreds of their status.",
        (1...5).map { ("{status=\"\($0)xx\"}", "\(figures.originStatuses[$0])") })
      add(
        "origins_left_alone", "gauge",
        "Origins that are not asked for a while, as they keep failing.",
        pausingOrigins)
      add(
        "origin_connections", "gauge", "Connections to origins that are in use.",
        originConnections)
      add(
        "origin_connections_awaited", "gauge",
        "Requests that wait for a connection to their origin, or for their client's share of them.",
        waitingRequests)
      add(
        "origin_connections_slow", "gauge",
        "Exchanges that hold a connection to an origin for a client that is slow.", slowExchanges)
      add("origin_seconds", "histogram", "Time to the head of an origin's answer.", origins)
      add(
        "stored_total", "counter", "Answers that changed what is stored.",
        figures.stored)
      add(
        "unkept_total", "counter", "Answers of origins that are not kept, by why.",
        StoringRefusal.allCases.map { refusal in
          ("{reason=\"\(refusal.rawValue)\"}", "\(figures.unkept[refusal] ?? 0)")
        })
      add(
        "rule_breaks_total", "counter", "Answers of origins that break the rules for content.",
        figures.ruleBreaks)
      add("purges_total", "counter", "Purges.", figures.purges)
      add("purged_copies_total", "counter", "Copies that purges were of.", figures.purgedCopies)
      add(
        "store_failures_total", "counter", "What the store could not read or keep.",
        figures.storeFailures)
      add(
        "store_keeps", "gauge", "1 while the store takes answers, 0 while it does not.",
        keeping == nil ? 1 : 0)
      add(
        "store_keeps_long", "gauge",
        "The same of answers of more than 256 KiB, which a nearly full disk has no room for.",
        keepingLong == nil ? 1 : 0)
      add(
        "store_replaced_total", "counter",
        "How often the file of the store was begun anew, as it was damaged, or deleted or replaced.",
        storeChanges)
      add(
        "invalidations_owed", "gauge", "What was changed, and is not marked in the store yet.",
        owedInvalidations)
      add(
        "log_lost_lines_total", "counter", "Lines that the log did not take in time.",
        lostLines)
      if let store {
        add("store_file_bytes", "gauge", "Size of the file.", store.fileBytes)
        add("store_log_bytes", "gauge", "Size of its log.", store.logBytes)
      }
      if let fleet {
        add(
          "fleet_in_reach", "gauge", "1 while the fleet answers, 0 while this host goes on alone.",
          fleet.obstacle == nil ? 1 : 0)
        add(
          "fleet_failures_total", "counter", "Calls that failed as the fleet was out of reach.",
          fleet.failures)
        add(
          "fleet_mark_number", "gauge", "The last mark of the fleet that is applied here.",
          fleet.place ?? 0)
        add(
          "fleet_kept_marks", "gauge", "Marks that are still to be delivered to the fleet.",
          fleet.keptMarks)
        add(
          "fleet_overdue_marks", "gauge",
          "The same once the oldest has waited for more than ten seconds.",
          fleet.overdue?.marks ?? 0)
        add(
          "fleet_refused_marks", "gauge", "Marks that the fleet has refused.",
          fleet.refusedMarks)
      }
      return lines.joined(separator: "\n") + "\n"
    }

    /// The number of answers by kind; all stale copies are one kind.
    private var requests: [(name: String, count: Int)] {
      var sums: [(name: String, count: Int)] = []
      for served in Served.allCases {
        let name = served.staleReason == nil ? "\(served)" : "stale"
        let count = figures.served[served.rawValue]
        // The stale kinds are consecutive cases.
        if sums.last?.name == name {
          sums[sums.count - 1].count += count
        } else {
          sums.append((name: name, count: count))
        }
      }
      return sums
    }

    /// The number of stale copies served, by reason.
    private var staleAnswers: [(reason: String, count: Int)] {
      Served.allCases.compactMap { served in
        served.staleReason.map { ($0, figures.served[served.rawValue]) }
      }
    }

    private var origins: [(String, String)] {
      var total = 0
      var samples: [(String, String)] = []
      for (index, count) in figures.originTimes.enumerated() {
        total += count
        let bound =
          index < GatewayFigures.bounds.count ? "\(GatewayFigures.bounds[index])" : "+Inf"
        samples.append(("_bucket{le=\"\(bound)\"}", "\(total)"))
      }
      return samples + [("_sum", "\(figures.originSeconds)"), ("_count", "\(total)")]
    }

    var json: String {
      let words = AccessEntry.escaped((keeping ?? keepingLong)?.words ?? "ok")
      let served = requests.map { "\"\($0.name)\":\($0.count)" }
      let stale = staleAnswers.map { "\"\($0.reason)\":\($0.count)" }
      let damaged = damagedFiles.map { "\"\(AccessEntry.escaped($0))\"" }
        .joined(separator: ",")
      var parts = [
        "\"version\":\"\(ProductVersion.current)\"",
        "\"requests\":{\(served.joined(separator: ","))}",
        "\"stale\":{\(stale.joined(separator: ","))}",
        "\"connections\":\(figures.openConnections)", "\"flights\":\(flights)",
        "\"originRequests\":\(figures.originRequests)",
        "\"originFailures\":\(figures.originFailures)",
        "\"originBrokenAnswers\":\(figures.brokenAnswers)",
        "\"originServerErrors\":\(figures.originStatuses[5])",
        "\"originsLeftAlone\":\(pausingOrigins)",
        "\"origin\":\"\(AccessEntry.escaped(backOff ?? "ok"))\"",
        "\"originConnections\":\(originConnections)",
        "\"originConnectionsAwaited\":\(waitingRequests)",
        "\"originConnectionsSlow\":\(slowExchanges)", "\"sentBytes\":\(figures.bytes)",
        "\"storeFailures\":\(figures.storeFailures)", "\"lostLogLines\":\(lostLines)",
        "\"store\":\"\(words)\"",
        "\"owedInvalidations\":\(owedInvalidations)",
        "\"storeReplaced\":\(storeChanges)", "\"damagedFiles\":[\(damaged)]",
      ]
      if let store {
        parts += ["\"fileBytes\":\(store.fileBytes)", "\"logBytes\":\(store.logBytes)"]
      }
      if let fleet {
        let words = fleet.obstacle.map { "\"\(AccessEntry.escaped("\($0)"))\"" } ?? "null"
        let overdue = fleet.overdue.map { "\"\(AccessEntry.escaped($0.words))\"" } ?? "null"
        parts.append(
          "\"fleet\":{\"aloneBecause\":\(words),\"overdue\":\(overdue),\"failures\":\(fleet.failures),"
            + "\"markNumber\":\(fleet.place ?? 0),\"keptMarks\":\(fleet.keptMarks),"
            + "\"refusedMarks\":\(fleet.refusedMarks)}")
      }
      return "{\(parts.joined(separator: ","))}\n"
    }
  }
#endif
