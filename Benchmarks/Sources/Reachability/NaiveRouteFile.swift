internal import Foundation

/// The method of many programs: any line of the kernel's route file with destination and mask 0
/// counts as a route to the Internet.
enum NaiveRouteFile {
  static func hasDefaultRoute() throws -> Bool {
    let text = try Data(contentsOf: URL(filePath: "/proc/thread-self/net/route"))
    return String(decoding: text, as: UTF8.self).split(separator: "\n").contains { line in
      let fields = line.split(whereSeparator: \.isWhitespace)
      return fields.count > 7 && fields[1] == "00000000" && fields[7] == "00000000"
    }
  }
}
