import Testing

@testable import FreshSync

/// The places that sources may take beside each other.
@Suite struct PlacesTakenTests {
  private func place(
    _ origin: String, isLarge: Bool = false, isTrial: Bool = false
  ) -> PlacesTaken.Place {
    let account = RunProgress.Account(collection: "numbers", origin: origin)
    return PlacesTaken.Place(
      lane: RunProgress.Lane(account: account, isLarge: isLarge), availability: account,
      isTrial: isTrial)
  }

  /// Takes as many places as there are for one place after the other, again and again; returns their number.
  private func fill(_ places: inout PlacesTaken, with wanted: [PlacesTaken.Place]) -> Int {
    var taken = 0
    while let next = wanted.first(where: { places.isFree($0) }) {
      places.take(next)
      taken += 1
    }
    return taken
  }

  @Test(arguments: [false, true])
  func `two sources that hang leave a place for others, and for their large bodies`(
    isLarge: Bool
  ) {
    var places = PlacesTaken(of: 8, perOrigin: 4)
    let hanging = ["a", "b"].map { place($0, isLarge: isLarge) }
    #expect(fill(&places, with: hanging) == (isLarge ? 3 : 7))
    #expect(places.isFree(place("c", isLarge: isLarge)))
    places.take(place("c", isLarge: isLarge))
    places.giveBack(hanging[0])
    #expect(places.isFree(hanging[1]))
  }

  @Test func `a source whose share is all there is takes all places`() {
    var places = PlacesTaken(of: 4, perOrigin: 4)
    #expect(fill(&places, with: [place("a")]) == 4)
    #expect(!places.isFree(place("b")))
    var one = PlacesTaken(of: 1, perOrigin: 4)
    #expect(fill(&one, with: [place("a", isLarge: true)]) == 1)
  }

  @Test func `three sources take all places between them`() {
    var places = PlacesTaken(of: 5, perOrigin: 2)
    #expect(fill(&places, with: ["a", "b", "c"].map { place($0) }) == 5)
  }

  @Test(arguments: [(8, 4), (3, 1), (1, 1)])
  func `all sources on trial together take half of the places`(places count: Int, half: Int) {
    var places = PlacesTaken(of: count, perOrigin: 4)
    let trials = (0..<20).map { place("\($0)", isTrial: true) }
    #expect(fill(&places, with: trials) == half)
    #expect(places.isFree(place("answers")) == (count > half))
    places.giveBack(trials[0])
    #expect(places.isFree(trials[19]))
  }

  @Test func `of the places for trials, large bodies leave half to small ones`() {
    var places = PlacesTaken(of: 8, perOrigin: 4)
    let large = (0..<20).map { place("\($0)", isLarge: true, isTrial: true) }
    #expect(fill(&places, with: large) == 2)
    #expect(fill(&places, with: (20..<40).map { place("\($0)", isTrial: true) }) == 2)
  }

  @Test func `a source on trial is tried by one small attempt at a time, beside a large one`() {
    var places = PlacesTaken(of: 8, perOrigin: 4)
    let (small, large) = (
      place("a", isTrial: true), place("a", isLarge: true, isTrial: true)
    )
    places.take(large)
    #expect(places.isFree(small) && !places.isFree(large))
    places.take(small)
    #expect(!places.isFree(small) && !places.isFree(large))
    places.giveBack(large)
    #expect(!places.isFree(large))
    places.giveBack(small)
    #expect(places.isFree(large) && places.count == 0 && places.byOrigin.isEmpty)
    #expect(places.availabilities.isEmpty)
  }
}
