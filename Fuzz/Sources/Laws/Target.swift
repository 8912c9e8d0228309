/// The targets of the fuzzer. The raw value is the name of the target's folder under `Corpus`.
enum Target: String, CaseIterable {
  case routeIPv4 = "RouteIPv4"
  case routeIPv6 = "RouteIPv6"
  case netlinkReply = "NetlinkReply"
  case address = "Address"
  case json = "JSON"
  case pattern = "Pattern"
  case schema = "Schema"
  case httpDate = "HTTPDate"
  case httpResponse = "HTTPResponse"
  case duration = "Duration"
  case netrc = "Netrc"
  case settings = "Settings"
  case httpAddress = "HTTPAddress"
  case gatewayRequest = "GatewayRequest"
  case gatewayCopy = "GatewayCopy"
  case originResponse = "OriginResponse"
  case gatewayWork = "GatewayWork"
  case record = "Record"
  case export = "Export"
  case database = "Database"

  /// The one that the command line names as `--target=NAME`; arguments that begin with two dashes
  /// are left to us by libFuzzer.
  static let chosen: Target = {
    let option = "--target="
    let names = CommandLine.arguments.filter { $0.hasPrefix(option) }.map {
      String($0.dropFirst(option.count))
    }
    guard let target = names.last.flatMap(Target.init) else {
      // Nothing can be checked without a target, and there is no caller to throw to.
      fatalError("name a target: --target=\(Self.allCases.map(\.rawValue).joined(separator: "|"))")
    }
    return target
  }()

  /// Checks the target's laws on an input.
  func check(_ input: [UInt8]) {
    switch self {
    case .routeIPv4: RouteFileLaws.checkIPv4(input)
    case .routeIPv6: RouteFileLaws.checkIPv6(input)
    case .netlinkReply:
      AttributeLaws.check(input)
      HopLaws.check(input)
      NetlinkReplyLaws.check(input)
      ConversationLaws.check(input)
    case .address: AddressLaws.check(input)
    case .json: JSONLaws.check(input)
    case .pattern: PatternLaws.check(input)
    case .schema: SchemaLaws.check(input)
    case .httpDate: HTTPDateLaws.check(input)
    case .httpResponse:
      HTTPFreshnessLaws.check(input)
      HTTPFetchLaws.check(input)
    case .duration: DurationLaws.check(input)
    case .netrc: NetrcLaws.check(input)
    case .settings: SettingsLaws.check(input)
    case .httpAddress: HTTPAddressLaws.check(input)
    case .gatewayRequest: GatewayRequestLaws.check(input)
    case .gatewayCopy: GatewayCopyLaws.check(input)
    case .originResponse: OriginResponseLaws.check(input)
    case .gatewayWork: GatewayWorkLaws.check(input)
    case .record: RecordLaws.check(input)
    case .export: ExportLaws.check(input)
    case .database: DatabaseLaws.check(input)
    }
  }
}

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let target = Target.chosen
  target.check(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
