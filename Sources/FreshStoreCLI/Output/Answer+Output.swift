#if CommandLine
  internal import FreshStore
  internal import Strategies

  extension Answer<[UInt8]> {
    /// The output of `get --json`; a value that is no UTF-8 is encoded.
    ///
    /// - Parameter fleet: What its fleet had to do with it; `nil` for a host alone.
    func fields(in collection: String, fleet: JSONFields?) -> JSONFields {
      JSONFields(value: value) + [
        "collection": collection,
        "key": key,
        "freshness": freshness.rawValue,
        "ageSeconds": age?.inSeconds,
        "expiry": expiry.name,
        "expirySeconds": expiry.inSeconds,
        "lastUpdate": lastUpdate?.description,
        "source": source,
        "contentType": contentType,
        "decision": decision?.fields,
        "error": fetchFailure?.fields,
        "storeError": sharedTierFailure == nil ? storeFailure?.fields : nil,
        "fleet": fleet,
        "isRefreshing": needsRefresh ? true : nil,
      ]
    }

    /// The warning about a value that may differ from its source's; `nil` for none.
    var warning: String? {
      let copy = age.map { "a stale copy, \($0.brief) old" } ?? "a stale copy"
      let failure = fetchFailure?.message ?? "the fetch failed"
      switch freshness {
      case .fresh:
        return fetchFailure.map { "\($0.message); the copy is still fresh" }
      case .fetched, .revalidated: return nil
      case .staleWhileRevalidating: return "serving \(copy), while it is refreshed behind"
      case .staleOnError: return "serving \(copy): \(failure)"
      case .staleAfterTimeout: return "serving \(copy): the fetch takes long"
      case .staleOffline:
        return "offline, serving \(copy)" + (decision.map { ": \($0.cause)" } ?? "")
      case .stale: return "serving \(copy)"
      }
    }
  }

  extension GetError {
    /// The output of `get --json` without a value.
    var fields: JSONFields {
      [
        "collection": collection,
        "key": key,
        "decision": decision?.fields,
        "error": ["code": name, "message": CommandFailure(self).message ?? ""] as JSONFields,
        "storeError": storeFailure?.fields,
      ]
    }

    /// A stable name.
    private var name: String {
      switch code {
      case .offline: "offline"
      case .fetchFailed: fetchFailure?.name ?? "fetch-failed"
      case .absent: "absent"
      case .stale: "stale"
      case .missing: "missing"
      case .cancelled: "cancelled"
      case .store: "store"
      }
    }
  }

  extension StoreError {
    fileprivate var fields: JSONFields { ["code": "store", "message": "\(self)"] }
  }

  extension FetchFailure {
    fileprivate var fields: JSONFields { ["code": name, "message": message] }

    /// A stable name.
    fileprivate var name: String {
      switch code {
      case .thrown, .notAnswered, .notModifiedWithoutCopy: "fetch-failed"
      case .timedOut: "timed-out"
      case .refused, .notStorable: "refused"
      case .offline: "offline"
      case .originIsDown: "origin-is-down"
      case .pausing: "pausing"
      case .held: "held"
      case .cancelled: "cancelled"
      }
    }
  }
#endif
