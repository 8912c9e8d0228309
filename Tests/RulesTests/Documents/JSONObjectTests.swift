import Rules
import Testing

@Suite struct JSONObjectTests {
  private static func object(_ count: Int) -> JSONObject {
    JSONObject((0..<count).map { ("name \($0)", JSONValue.number(JSONNumber($0))) })
  }

  @Test func `members keep their order`() throws {
    let value = try JSONValue(parsing: "{\"z\":1,\"a\":2,\"m\":3}")
    #expect(value.text() == "{\"z\":1,\"a\":2,\"m\":3}")
  }

  @Test func `objects of the same members are equal in any order`() throws {
    let (left, right): (JSONValue, JSONValue) = (["a": 1, "b": [1]], ["b": [1], "a": 1])
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left != ["a": 1, "b": [2]])
    #expect(left != ["a": 1])
    #expect(left != ["a": 1, "c": [1]])
  }

  @Test(arguments: [0, 1, 7, 8, 9, 10, 1000])
  func `every member is found by name, in an object of any size`(count: Int) {
    let object = Self.object(count)
    #expect(object.count == count)
    #expect(object.isEmpty == (count == 0))
    for index in 0..<count {
      #expect(object["name \(index)"] == .number(JSONNumber(index)))
    }
    #expect(object["name \(count)"] == nil)
  }

  @Test(arguments: [2, 8, 9, 10, 11, 20])
  func `a member is replaced in its place, removed and added at the end`(count: Int) {
    var object = Self.object(count)
    object["name 0"] = "new"
    #expect(object.names.first == "name 0")
    object["name 1"] = nil
    #expect(object.count == count - 1)
    #expect(object["name 1"] == nil)
    object["name 1"] = true
    #expect(object.names.last == "name 1")
    #expect(object["name 0"] == "new")
    #expect(object["name \(count - 1)"] != nil)
    object["absent"] = nil
    #expect(object.count == count)
  }

  @Test func `parts are reached by name and index`() throws {
    let value: JSONValue = ["a": [10, ["b": 20]]]
    #expect(value["a"]?[0] == 10)
    #expect(value["a"]?[1]?["b"] == 20)
    #expect(value["a"]?[2] == nil)
    #expect(value["a"]?[-1] == nil)
    #expect(value["b"] == nil)
    #expect(value[0] == nil)
    #expect(value["a"]?["b"] == nil)
  }
}
