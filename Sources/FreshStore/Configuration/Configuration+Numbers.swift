internal import Strategies

extension Configuration {
  /// The check of its numbers.
  var numbers: NumberCheck {
    var numbers = NumberCheck()
    numbers.require("busyTimeout", busyTimeout)
    numbers.require("maximumReaders", maximumReaders, from: 1, to: 1024)
    numbers.require("memory.records", memory.records, from: 0)
    numbers.require("memory.bytes", memory.bytes, from: 0)
    numbers.require("maximumSize", maximumSize, from: 0)
    numbers.require("maximumValueSize", maximumValueSize, from: 0)
    numbers.require("leaseDuration", leaseDuration, from: .milliseconds(1))
    numbers.require("allowedSkew", allowedSkew)
    numbers.require("fleet.longestAlone", fleet.longestAlone, from: .milliseconds(1))
    numbers.require(breaker.numbers)
    return numbers
  }
}
