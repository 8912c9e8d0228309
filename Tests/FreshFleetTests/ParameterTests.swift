#if Fleet
  @testable import FreshFleet
  import Testing

  @Suite struct ParameterTests {
    @Test(arguments: [0, 1, -1, 255, 256, .max, .min])
    func `an integer is read as it was written`(_ number: Int64) {
      #expect(Row(columns: [Parameter.integer(number).bytes]).integer(0) == number)
    }

    @Test(arguments: [[], [[]], [[0]], [[1, 2], [], [0, 255]]])
    func `an array of bytes is read as it was written`(_ values: [[UInt8]]) {
      #expect(Row(columns: [Parameter.bytes(values).bytes]).byteStrings(0) == values)
    }

    @Test func `small and missing integers are read`() {
      let row = Row(columns: [[0xff, 0xfe], nil, [], [UInt8](repeating: 1, count: 9)])
      #expect(row.integer(0) == -2)
      #expect(row.integer(1) == nil && row.integer(2) == nil && row.integer(3) == nil)
    }

    @Test(arguments: [
      [], [1], .init(repeating: 0, count: 20) + [0, 0, 0, 9, 1],
      .init(repeating: 0, count: 20) + [0xff, 0xff, 0xff, 0xff],
    ])
    func `a cut or foreign array is read as far as it goes`(_ bytes: [UInt8]) {
      #expect(Row(columns: [bytes]).byteStrings(0).isEmpty)
    }

    @Test(arguments: [
      (Duration.milliseconds(5), Int64(5)), (.microseconds(1999), 1), (.zero, 0),
      (.seconds(Int64.max), 100_000_000_000_000), (.seconds(Int64.min), -100_000_000_000_000),
    ])
    func `a duration is whole milliseconds within what a date can bear`(
      _ duration: Duration, _ milliseconds: Int64
    ) {
      #expect(Row(columns: [Parameter.milliseconds(duration).bytes]).integer(0) == milliseconds)
    }
  }
#endif
