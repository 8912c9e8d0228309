#if CommandLine
  internal import FreshFleet
  internal import FreshStore
  internal import Strategies

  /// A look at a fleet from one host's place in it, which changes nothing.
  struct FleetLook: Sendable {
    /// What the fleet has answered.
    struct Answer: Sendable {
      /// The number of the newest mark.
      let newest: Int64
      /// The first of the marks that this host has not taken in.
      let news: SharedNews
      /// The time from the beginning of the connection to the first answer, which is what a command waits for.
      let first: Duration
      /// The time of an answer over an open connection.
      let roundTrip: Duration
    }

    /// The address, without its secrets.
    let address: String
    /// The host's place; `nil` before its first word with the fleet, and where there is no store.
    let place: FleetPlace?
    let answer: Result<Answer, SharedTierError>
    /// The time that a command waits for the fleet.
    let limit: Duration
    private let now = SystemClock().reading().wall

    /// A look may take longer than a call does.
    private static let patience = Duration.seconds(5)

    /// Asks the fleet.
    init(at address: String, _ option: FleetOption, from place: FleetPlace?) async {
      (self.place, limit) = (place, option.limit)
      var patient = option
      patient.fleetLimit = max(option.limit, Self.patience)
      do throws(SharedTierError) {
        let client = try patient.briefClient(of: address)
        defer { client.close() }
        self.address = client.addressDescription
        answer = await Self.ask(client, from: place)
      } catch {
        self.address = "its address"
        answer = .failure(error)
      }
    }

    private static func ask(
      _ client: FleetClient, from place: FleetPlace?
    ) async -> Result<Answer, SharedTierError> {
      do throws(SharedTierError) {
        let start = ContinuousClock.now
        let newest = try await client.news(since: nil).position.number
        let connected = ContinuousClock.now
        let news = try await client.news(since: place?.position)
        return .success(
          Answer(
            newest: newest, news: news, first: connected - start,
            roundTrip: ContinuousClock.now - connected))
      } catch {
        return .failure(error)
      }
    }

    // MARK: What it comes to

    /// How many marks the host has not taken in; `nil` where that is not known, and everything is suspect.
    var missing: Int? {
      guard case .success(let answer) = answer, let place,
        case .marks(let marks, _, _) = answer.news
      else { return nil }
      return max(marks.count, Int(clamping: answer.newest - place.position.number))
    }

    /// The place of the host, in one clause.
    func words(of answer: Answer) -> String {
      guard let place else { return "this store has not had a word with it yet" }
      switch missing {
      case 0?: return "this host has taken in all of its marks"
      case 1?: return "this host has not taken in 1 of its marks"
      case let count?: return "this host has not taken in \(count) of its marks"
      case nil:
        return
          "its journal does not lead on from this host's place (mark \(place.position.number)), and the "
          + "next word with it makes all copies here stale"
      }
    }

    /// How long the host has been without a word from the fleet, in one clause.
    var silence: String {
      guard let place else { return "this store has not had a word with it yet" }
      let age = max(.zero, now.duration(since: place.lastWord))
      return "its last word here was noted \(age.brief) ago"
    }

    /// The look, for programs.
    var fields: JSONFields {
      let common: JSONFields = [
        "address": address, "mark": place?.position.number,
        "lastWord": place?.lastWord.description,
      ]
      switch answer {
      case .failure(let error): return common + ["isReached": false, "error": error.fields]
      case .success(let answer):
        return common + [
          "isReached": true, "newestMark": answer.newest, "missingMarks": missing,
          "isSuspect": place == nil ? nil : missing == nil,
          "connectionSeconds": answer.first.inSeconds,
          "roundTripSeconds": answer.roundTrip.inSeconds,
        ]
      }
    }
  }
#endif
