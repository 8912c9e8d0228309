package import FreshStore

extension Fetched {
  /// With its details changed.
  package func mapDetails(_ change: (inout FetchDetails) -> Void) -> Fetched {
    func changed(_ details: FetchDetails) -> FetchDetails {
      var details = details
      change(&details)
      return details
    }
    return switch self {
    case .value(let value, let details): .value(value, changed(details))
    case .notModified(let details): .notModified(changed(details))
    case .gone(let details): .gone(changed(details))
    }
  }
}

extension Pushed {
  /// With its details changed.
  package func mapDetails(_ change: (inout FetchDetails) -> Void) -> Pushed {
    func changed(_ details: FetchDetails) -> FetchDetails {
      var details = details
      change(&details)
      return details
    }
    return switch self {
    case .accepted(let details): .accepted(changed(details))
    case .acceptedAs(let value, let details): .acceptedAs(value, changed(details))
    case .refused(let refusal): .refused(refusal)
    case .conflict(let remote): .conflict(remote.mapDetails(change))
    }
  }
}
