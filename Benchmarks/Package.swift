// swift-tools-version: 6.2

import PackageDescription

// As strict as the package that is measured.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

// The only subject that needs the fetcher, and the packages beneath it.
let measuresReturns = Context.environment["BENCHMARK_RETURNS"] != nil
// The only one that needs the client of a fleet's database.
let measuresFleet = Context.environment["BENCHMARK_FLEET"] != nil
// The only one with SwiftNIO itself, for its origin, and the libraries of its floors; the gateway is a process.
let measuresGateway = Context.environment["BENCHMARK_GATEWAY"] != nil

// One executable for each subject, named after it; what they share is in BenchmarkKit, and what
// those share who read one of many records in ReadKit. The target of
// `rules` has another name, for that of the module it measures differs only in case.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "eviction", targets: ["eviction"]),
    .executable(name: "growth", targets: ["growth"]),
    .executable(name: "mixed", targets: ["mixed"]),
    .executable(name: "observation", targets: ["observation"]),
    .executable(name: "opening", targets: ["opening"]),
    .executable(name: "pushes", targets: ["pushes"]),
    .executable(name: "reachability", targets: ["reachability"]),
    .executable(name: "reads", targets: ["reads"]),
    .executable(name: "rules", targets: ["RulesBenchmark"]),
    .executable(name: "stampede", targets: ["stampede"]),
    .executable(name: "startup", targets: ["startup"]),
    .executable(name: "sweep", targets: ["sweep"]),
    .executable(name: "writes", targets: ["writes"]),
  ],
  dependencies: [
    .package(
      name: "FreshStore", path: "..",
      traits: measuresReturns ? ["HTTP"] : measuresFleet ? ["Fleet"] : [])
  ],
  targets: [
    .target(name: "BenchmarkKit", swiftSettings: strict),
    // The queues themselves are the store's own files, by links.
    .executableTarget(
      name: "eviction", dependencies: ["BenchmarkKit"], path: "Sources/Eviction",
      swiftSettings: strict),
    .executableTarget(
      name: "growth",
      dependencies: [
        "BenchmarkKit", "Workload", .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "Strategies", package: "FreshStore"),
      ],
      path: "Sources/Growth", swiftSettings: strict),
    .executableTarget(
      name: "observation",
      dependencies: ["BenchmarkKit", .product(name: "FreshStore", package: "FreshStore")],
      path: "Sources/Observation", swiftSettings: strict),
    .executableTarget(
      name: "pushes",
      dependencies: [
        "BenchmarkKit", "Workload", .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "FreshSync", package: "FreshStore"),
      ],
      path: "Sources/Pushes", swiftSettings: strict),
    .executableTarget(
      name: "reachability",
      dependencies: [
        "BenchmarkKit", .product(name: "Reachability", package: "FreshStore"),
        .product(name: "Strategies", package: "FreshStore"),
      ],
      path: "Sources/Reachability", swiftSettings: strict),
    .target(
      name: "ReadKit",
      dependencies: [
        "BenchmarkKit", "RawSQLite", .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "Strategies", package: "FreshStore"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "reads",
      dependencies: [
        "BenchmarkKit", "RawSQLite", "ReadKit",
        .product(name: "FreshStore", package: "FreshStore"),
      ],
      path: "Sources/Reads", swiftSettings: strict),
    .executableTarget(
      name: "RulesBenchmark",
      dependencies: ["BenchmarkKit", .product(name: "Rules", package: "FreshStore")],
      swiftSettings: strict),
    .systemLibrary(name: "RawSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "startup", dependencies: ["BenchmarkKit"], path: "Sources/Startup",
      swiftSettings: strict),
    .executableTarget(
      name: "sweep",
      dependencies: [
        "BenchmarkKit", "RawSQLite", .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "Strategies", package: "FreshStore"),
      ],
      path: "Sources/Sweep", swiftSettings: strict),
    .target(
      name: "Workload",
      dependencies: [
        "BenchmarkKit", "RawSQLite", .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "Strategies", package: "FreshStore"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "mixed",
      dependencies: [
        "BenchmarkKit", "Workload", .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "Strategies", package: "FreshStore"),
      ],
      path: "Sources/Mixed", swiftSettings: strict),
    .systemLibrary(name: "RawMalloc"),
    .executableTarget(
      name: "opening",
      dependencies: [
        "BenchmarkKit", "RawMalloc", "Workload",
        .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "Strategies", package: "FreshStore"),
      ],
      path: "Sources/Opening", swiftSettings: strict),
    .executableTarget(
      name: "stampede",
      dependencies: [
        "BenchmarkKit", "Workload", .product(name: "FreshStore", package: "FreshStore"),
      ],
      path: "Sources/Stampede", swiftSettings: strict),
    .executableTarget(
      name: "writes",
      dependencies: [
        "BenchmarkKit", "Workload", .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "Strategies", package: "FreshStore"),
      ],
      path: "Sources/Writes", swiftSettings: strict),
  ]
)

if measuresReturns {
  package.products.append(.executable(name: "returns", targets: ["returns"]))
  package.targets.append(
    .executableTarget(
      name: "returns",
      dependencies: [
        "BenchmarkKit", "Workload", .product(name: "FreshHTTP", package: "FreshStore"),
        .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "FreshSync", package: "FreshStore"),
        .product(name: "Reachability", package: "FreshStore"),
        .product(name: "Strategies", package: "FreshStore"),
      ],
      path: "Sources/Returns", swiftSettings: strict))
}

if measuresFleet {
  package.products.append(.executable(name: "fleet", targets: ["fleet"]))
  package.targets.append(
    // How servers are started and spoken with are files of `peers`, by links.
    .executableTarget(
      name: "fleet",
      dependencies: [
        "BenchmarkKit", "Workload", .product(name: "FreshFleet", package: "FreshStore"),
        .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "Strategies", package: "FreshStore"),
      ],
      path: "Sources/Fleet", swiftSettings: strict))
}

if measuresGateway {
  package.products.append(.executable(name: "gateway", targets: ["gateway"]))
  package.dependencies += [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ]
  package.targets.append(
    // How servers and processes are started and spoken with are files of `peers` and `startup`, by
    // links.
    .executableTarget(
      name: "gateway",
      dependencies: [
        "BenchmarkKit", .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Sources/Gateway", swiftSettings: strict))
}

// Only this subject needs to fetch and build these.
if Context.environment["BENCHMARK_PEERS"] != nil {
  package.products.append(.executable(name: "peers", targets: ["peers"]))
  package.dependencies.append(
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"))
  package.targets.append(
    .executableTarget(
      name: "peers",
      dependencies: [
        "BenchmarkKit", "RawSQLite", "ReadKit",
        .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Strategies", package: "FreshStore"),
      ],
      path: "Sources/Peers", swiftSettings: strict))
}
