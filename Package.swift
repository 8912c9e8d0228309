// swift-tools-version: 6.2

import PackageDescription

// One strictness for every target: what the newest language mode will demand, today.
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

let package = Package(
  name: "FreshStore",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Strategies", targets: ["Strategies"]),
    .library(name: "Reachability", targets: ["Reachability"]),
    .library(name: "Rules", targets: ["Rules"]),
    .library(name: "FreshStore", targets: ["FreshStore"]),
    .library(name: "FreshFleet", targets: ["FreshFleet"]),
    .library(name: "FreshHTTP", targets: ["FreshHTTP"]),
    .library(name: "FreshStoreTools", targets: ["FreshStoreTools"]),
    .library(name: "FreshSync", targets: ["FreshSync"]),
    .library(name: "FreshStoreTesting", targets: ["FreshStoreTesting"]),
    .executable(name: "freshstore", targets: ["FreshStoreCLI"]),
  ],
  traits: [
    .trait(
      name: "Fleet",
      description:
        "FreshFleet: what hosts share on PostgreSQL's wire, by libpq where it is installed."),
    .trait(name: "HTTP", description: "FreshHTTP: the fetcher for http(s) sources, on SwiftNIO."),
    .trait(
      name: "CommandLine", description: "The command freshstore, on swift-argument-parser.",
      enabledTraits: ["Fleet", "Gateway", "HTTP"]),
    .trait(
      name: "Gateway", description: "FreshGateway's server: an HTTP cache, on SwiftNIO.",
      enabledTraits: ["HTTP"]),
    .trait(name: "Logging", description: "A decision reporter that writes to swift-log."),
    .trait(name: "Metrics", description: "A decision reporter that counts with swift-metrics."),
    .trait(
      name: "Tracing", description: "A decision reporter that opens distributed-tracing spans."),
    .trait(
      name: "Sync", description: "FreshSync's Synchronizer as a Service of swift-service-lifecycle."
    ),
    .default(enabledTraits: [
      "CommandLine", "Fleet", "Gateway", "HTTP", "Logging", "Metrics", "Sync", "Tracing",
    ]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // Without its package: the library is loaded when it is used, and not linked.
    .systemLibrary(name: "CPostgres"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "Platform", swiftSettings: strict),
    .target(name: "Strategies", swiftSettings: strict),
    .target(
      name: "Reachability", dependencies: ["Platform", "Strategies"], swiftSettings: strict),
    .target(name: "Rules", swiftSettings: strict),
    .target(
      name: "FreshStore",
      dependencies: [
        "CSQLite", "Platform", "Reachability", "Rules", "Strategies",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
        .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
        .product(
          name: "Tracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
      ],
      swiftSettings: strict),
    .target(
      name: "FreshFleet",
      dependencies: [
        .target(name: "CPostgres", condition: .when(traits: ["Fleet"])), "FreshStore", "Platform",
        "Strategies",
      ],
      swiftSettings: strict),
    .target(
      name: "FreshHTTP",
      dependencies: [
        .target(name: "CZlib", condition: .when(traits: ["HTTP"])), "FreshStore", "Platform",
        "Reachability", "Rules", "Strategies",
        .product(
          name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["HTTP"])),
      ],
      swiftSettings: strict),
    .target(
      name: "FreshGateway",
      dependencies: [
        "FreshHTTP", "FreshStore", "Platform", "Strategies",
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Gateway"])),
        .product(
          name: "NIOHPACK", package: "swift-nio-http2", condition: .when(traits: ["Gateway"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Gateway"])),
        .product(
          name: "NIOHTTP2", package: "swift-nio-http2", condition: .when(traits: ["Gateway"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Gateway"])),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Gateway"])),
        .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["Gateway"])),
      ],
      swiftSettings: strict),
    .target(
      name: "FreshSync",
      dependencies: [
        "FreshStore", "Platform", "Strategies",
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["Sync"])),
      ],
      swiftSettings: strict),
    .target(
      name: "FreshStoreTools",
      dependencies: ["CSQLite", "FreshStore", "Platform", "Rules", "Strategies"],
      swiftSettings: strict),
    .target(
      name: "FreshStoreTesting",
      dependencies: ["FreshHTTP", "FreshStore", "Platform", "Rules", "Strategies"],
      swiftSettings: strict),
    .executableTarget(
      name: "FreshStoreCLI",
      dependencies: [
        "FreshFleet", "FreshGateway", "FreshHTTP", "FreshStore", "FreshStoreTools", "FreshSync",
        "Platform",
        "Reachability", "Rules", "Strategies",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLine"])),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "DemoOrigin", dependencies: ["OriginServer"], path: "Examples/DemoOrigin",
      swiftSettings: strict),
    .target(
      name: "OriginServer",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["HTTP"])),
      ],
      path: "Tests/Support/OriginServer", swiftSettings: strict),
    .target(
      name: "NotesBoard", dependencies: ["OriginServer"], path: "Examples/Notes/Board",
      swiftSettings: strict),
    .executableTarget(
      name: "NotesServer", dependencies: ["NotesBoard", "OriginServer"],
      path: "Examples/Notes/Server", swiftSettings: strict),
    .executableTarget(
      name: "NotesClient",
      dependencies: ["FreshHTTP", "FreshStore", "FreshSync", "NotesBoard", "Strategies"],
      path: "Examples/Notes/Client", swiftSettings: strict),
    .target(
      name: "ChildProcess", dependencies: ["Platform"], path: "Tests/Support/ChildProcess",
      swiftSettings: strict),
    .target(
      name: "PostgreSQLServer", dependencies: ["ChildProcess"],
      path: "Tests/Support/PostgreSQLServer", swiftSettings: strict),
    .target(
      name: "StoreSupport",
      dependencies: [
        "CSQLite", "FreshStore", "FreshStoreTesting", "FreshStoreTools", "Strategies",
      ],
      path: "Tests/Support/StoreSupport", swiftSettings: strict),
    .target(
      name: "BuiltCommand", dependencies: ["SanitizerSuppressions"],
      path: "Tests/Support/BuiltCommand", swiftSettings: strict),
    .target(name: "NetworkStates", path: "Tests/Support/NetworkStates", swiftSettings: strict),
    .target(name: "SanitizerSuppressions", path: "Tests/Support/SanitizerSuppressions"),
    .target(name: "GlobalQueue", path: "Tests/Support/GlobalQueue"),
    .target(
      name: "Simulation",
      dependencies: [
        "CSQLite", "FreshStore", "FreshStoreTesting", "FreshStoreTools", "FreshSync",
        "GlobalQueue", "Platform", "Rules", "Strategies",
      ],
      path: "Tests/Support/Simulation", swiftSettings: strict),
    .executableTarget(
      name: "Simulate", dependencies: ["Simulation"], path: "Tests/Support/Simulate",
      swiftSettings: strict),
    .executableTarget(
      name: "StoreWorker",
      dependencies: [
        "ChildProcess", "FreshStore", "Platform", "SanitizerSuppressions", "Strategies",
      ],
      path: "Tests/Support/StoreWorker", swiftSettings: strict),
    .executableTarget(
      name: "FleetWorker",
      dependencies: [
        "FreshFleet", "FreshStore", "Platform", "SanitizerSuppressions", "Strategies",
      ],
      path: "Tests/Support/FleetWorker", swiftSettings: strict),
    .executableTarget(
      name: "SyncWorker",
      dependencies: [
        "FreshHTTP", "FreshStore", "FreshSync", "Reachability", "SanitizerSuppressions",
        "Strategies",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Sync"])),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle",
          condition: .when(traits: ["Sync"])),
        .product(
          name: "UnixSignals", package: "swift-service-lifecycle",
          condition: .when(traits: ["Sync"])),
      ],
      path: "Tests/Support/SyncWorker", swiftSettings: strict),
    .testTarget(
      name: "StrategiesTests", dependencies: ["FreshStoreTesting", "Strategies"],
      swiftSettings: strict),
    .testTarget(
      name: "ReachabilityTests",
      dependencies: [
        "ChildProcess", "FreshStoreTesting", "NetworkStates", "Platform", "Reachability",
        "Strategies",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RulesTests", dependencies: ["FreshStoreTesting", "Rules", "SanitizerSuppressions"],
      swiftSettings: strict),
    .testTarget(
      name: "FreshStoreTests",
      dependencies: [
        "CSQLite", "ChildProcess", "FreshStore", "FreshStoreTesting", "FreshStoreTools",
        "Platform", "Reachability", "Rules", "SanitizerSuppressions", "StoreSupport",
        "StoreWorker", "Strategies",
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
        .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
        .product(
          name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
        .product(
          name: "InMemoryTracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
        .product(
          name: "Tracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FreshStoreToolsTests",
      dependencies: [
        "CSQLite", "FreshStore", "FreshStoreTesting", "FreshStoreTools", "Rules",
        "SanitizerSuppressions", "StoreSupport", "Strategies",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FreshFleetTests",
      dependencies: [
        "ChildProcess", "FleetWorker", "FreshFleet", "FreshStore", "FreshStoreTesting",
        "Platform", "PostgreSQLServer",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FreshHTTPTests",
      dependencies: [
        "FreshHTTP", "FreshStore", "FreshStoreTesting", "OriginServer", "Platform", "Reachability",
        "Rules", "Strategies",
        .product(
          name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["HTTP"])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["HTTP"])),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FreshGatewayTests",
      dependencies: [
        "FreshGateway", "FreshHTTP", "FreshStore", "FreshStoreTesting", "OriginServer",
        "SanitizerSuppressions", "StoreSupport", "Strategies",
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Gateway"])),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["Gateway"])),
        .product(
          name: "NIOHPACK", package: "swift-nio-http2", condition: .when(traits: ["Gateway"])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Gateway"])),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Gateway"])),
        .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["Gateway"])),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FreshSyncTests",
      dependencies: [
        "CSQLite", "ChildProcess", "FreshStore", "FreshStoreTesting", "FreshSync", "NotesClient",
        "NotesServer", "OriginServer", "SanitizerSuppressions", "Simulate", "Simulation",
        "Strategies", "SyncWorker",
      ],
      exclude: ["Simulation/Scripts"], swiftSettings: strict),
    .testTarget(
      name: "SnippetTests",
      dependencies: [
        "BuiltCommand", "FreshFleet", "FreshHTTP", "FreshStore", "FreshStoreCLI",
        "FreshStoreTesting", "FreshSync", "NotesBoard",
        "OriginServer", "PostgreSQLServer", "Reachability", "Rules", "SanitizerSuppressions",
        "Strategies",
        .product(
          name: "Subprocess", package: "swift-subprocess", condition: .when(traits: ["CommandLine"])
        ),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FreshStoreCLITests",
      dependencies: [
        "BuiltCommand", "ChildProcess", "FreshHTTP", "FreshStore", "FreshStoreCLI",
        "FreshStoreTesting", "FreshStoreTools", "NetworkStates", "OriginServer", "Platform",
        "PostgreSQLServer", "Reachability", "SanitizerSuppressions", "Strategies",
        .product(
          name: "Subprocess", package: "swift-subprocess", condition: .when(traits: ["CommandLine"])
        ),
      ],
      swiftSettings: strict),
  ]
)
