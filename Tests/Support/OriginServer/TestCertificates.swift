#if HTTP
  /// Certificates for tests, valid from 2020 to 2119, and the keys to them, which are published here: trust
  /// them nowhere else. Made by openssl(1), with curve P-256.
  public enum TestCertificates {
    /// The issuer of all but ``selfSigned``.
    public static let issuer = """
      -----BEGIN CERTIFICATE-----
      MIIBajCCARCgAwIBAgICEAEwCgYIKoZIzj0EAwIwGzEZMBcGA1UEAwwQRnJlc2hT
      dG9yZSB0ZXN0czAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGzEZ
      MBcGA1UEAwwQRnJlc2hTdG9yZSB0ZXN0czBZMBMGByqGSM49AgEGCCqGSM49AwEH
      A0IABLJ0wBqy0Ch/Zw3ITbjWDcKYbL9OzAMB6bFNViITj4GuC9aW2uxeX8RiENf9
      L1Pmrt1qVdls37394a4EcAK+eAijQjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0P
      AQH/BAQDAgEGMB0GA1UdDgQWBBR0a9LwMul6hl0FDr4nFURy8t9wgjAKBggqhkjO
      PQQDAgNIADBFAiBMk5TtnfxgK4kTaUJNgTk+EBzxwP3qsF8XXzyat3ztsQIhAJc8
      2mOomMHrkn6NrFtqVLeMGZAlLTOjPbR6qs/Sds+w
      -----END CERTIFICATE-----
      """

    /// A server of `localhost`, `127.0.0.1` and `::1`.
    public static let localhost = OriginServer.TLS(
      certificate: """
        -----BEGIN CERTIFICATE-----
        MIIBxjCCAWygAwIBAgICEAMwCgYIKoZIzj0EAwIwGzEZMBcGA1UEAwwQRnJlc2hT
        dG9yZSB0ZXN0czAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDES
        MBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVXtZ
        BEQKQXqRD8RH9qF0OKFT9X9Hq9VqyaYSgtsrUK3owVKM53mw2qc3b16q3YbUvFYp
        EmPxtTTuJIukv/TdTqOBpDCBoTAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIH
        gDATBgNVHSUEDDAKBggrBgEFBQcDATAsBgNVHREEJTAjgglsb2NhbGhvc3SHBH8A
        AAGHEAAAAAAAAAAAAAAAAAAAAAEwHQYDVR0OBBYEFAaXKeKlzuz30W65A3/FYYAw
        NyEIMB8GA1UdIwQYMBaAFHRr0vAy6XqGXQUOvicVRHLy33CCMAoGCCqGSM49BAMC
        A0gAMEUCIE531yQiaVmrL43KabFA9iQhA/y0vnXDTdkLBVd35K2JAiEAi9n0SLjn
        VjqALdsEtCDuhRcx6AfaxCw2Y4GnQ2ylra0=
        -----END CERTIFICATE-----
        """,
      key: """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvsYz1QpDaGCxkpoG
        xYmF2xIntQSif79DRloy9Zeu3LChRANCAARVe1kERApBepEPxEf2oXQ4oVP1f0er
        1WrJphKC2ytQrejBUoznebDapzdvXqrdhtS8VikSY/G1NO4ki6S/9N1O
        -----END PRIVATE KEY-----
        """)

    /// A server of `elsewhere.example`.
    public static let elsewhere = OriginServer.TLS(
      certificate: """
        -----BEGIN CERTIFICATE-----
        MIIBvjCCAWSgAwIBAgICEAQwCgYIKoZIzj0EAwIwGzEZMBcGA1UEAwwQRnJlc2hT
        dG9yZSB0ZXN0czAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowHDEa
        MBgGA1UEAwwRZWxzZXdoZXJlLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMB
        BwNCAATFgQvUG6GSdMjL1wS13DXL3cV+0cnA9Dk5FnxweRDNC7KbRz3WqH6V0r7M
        j+k1HP2kJg8/aGgbN/LoZiqTjBUpo4GUMIGRMAwGA1UdEwEB/wQCMAAwDgYDVR0P
        AQH/BAQDAgeAMBMGA1UdJQQMMAoGCCsGAQUFBwMBMBwGA1UdEQQVMBOCEWVsc2V3
        aGVyZS5leGFtcGxlMB0GA1UdDgQWBBTIvCI+GQhHPrSvu7u8kuEQMdxl3zAfBgNV
        HSMEGDAWgBR0a9LwMul6hl0FDr4nFURy8t9wgjAKBggqhkjOPQQDAgNIADBFAiEA
        scsD5yaQM8qNRNSeA/Uo9giNTmywmKQPaSubGcKYiN4CIGRwJgonrBc0qQadly83
        KZNF0ZhhmBHGks9FW7lRgBm8
        -----END CERTIFICATE-----
        """,
      key: """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgE/Umjj1Y1j4Qdh0a
        uY+4B/Vg/TUktus1t8cN+LO5ZjahRANCAATFgQvUG6GSdMjL1wS13DXL3cV+0cnA
        9Dk5FnxweRDNC7KbRz3WqH6V0r7Mj+k1HP2kJg8/aGgbN/LoZiqTjBUp
        -----END PRIVATE KEY-----
        """)

    /// A server of `127.0.0.1` and of no name, its own issuer; valid from November 2026.
    public static let address = OriginServer.TLS(
      certificate: """
        -----BEGIN CERTIFICATE-----
        MIIBjDCCATKgAwIBAgIUA77KMjRfwzOSxrigNTMHIsFPrmwwCgYIKoZIzj0EAwIw
        EjEQMA4GA1UEAwwHYWRkcmVzczAgFw0yNjExMjUyMjI3NDBaGA8yMTI1MTEyNjIy
        Mjc0MFowEjEQMA4GA1UEAwwHYWRkcmVzczBZMBMGByqGSM49AgEGCCqGSM49AwEH
        A0IABFKE8R6qQzF/H98YbfqIuKvFdxSeZjDgkmiHiYMtbairo4HhFMuLRNI6wP9i
        9L/NisvPLIYbZQ01k3vbVO/CcE6jZDBiMB0GA1UdDgQWBBQzuOFVSAa5gbWpph6K
        E0YfYIpV+TAfBgNVHSMEGDAWgBQzuOFVSAa5gbWpph6KE0YfYIpV+TAPBgNVHRMB
        Af8EBTADAQH/MA8GA1UdEQQIMAaHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIhAJaq
        jG9Sayzygt/PavxzUwJJSAOcw8qrkIk706lc+DauAiBKtvbwB9DuM27zaniQXKXN
        OhCmRTDJjX5dOSgo28wjrg==
        -----END CERTIFICATE-----
        """,
      key: """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfeE/XHe6cFsDewpq
        145QaUMqYCjrufUpnYHothELKOuhRANCAARShPEeqkMxfx/fGG36iLirxXcUnmYw
        4JJoh4mDLW2oq6OB4RTLi0TSOsD/YvS/zYrLzyyGG2UNNZN721TvwnBO
        -----END PRIVATE KEY-----
        """)

    /// A server of the same names as ``localhost``, which nobody but itself vouches for.
    public static let selfSigned = OriginServer.TLS(
      certificate: """
        -----BEGIN CERTIFICATE-----
        MIIBnTCCAUSgAwIBAgICEAIwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxo
        b3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAUMRIwEAYDVQQD
        DAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR+eV2Gz9IZhMqv
        KAhHLQoV6AU6CkiQHLgdg8N1sd7c0/gEvB+lTSZaNokT/ahPypCE6VPj5c1XG1m2
        g2Ib8Sweo4GDMIGAMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMBMGA1Ud
        JQQMMAoGCCsGAQUFBwMBMCwGA1UdEQQlMCOCCWxvY2FsaG9zdIcEfwAAAYcQAAAA
        AAAAAAAAAAAAAAAAATAdBgNVHQ4EFgQUd5uHVng0tRgl9jii/S2bsQkZ0rAwCgYI
        KoZIzj0EAwIDRwAwRAIgBvFVA8VoZx0d4GhBgHB6HerGvhlTXRddwGZAz1nqeEYC
        ICIHjKRZXdJQaaHDBJAqPLbdJc4mVNws4c+eiujZolHv
        -----END CERTIFICATE-----
        """,
      key: """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoJvodNW3HpwS0Lxb
        ZRz6RpXLKk6L8TiEzFnWm1g6bV6hRANCAAR+eV2Gz9IZhMqvKAhHLQoV6AU6CkiQ
        HLgdg8N1sd7c0/gEvB+lTSZaNokT/ahPypCE6VPj5c1XG1m2g2Ib8Swe
        -----END PRIVATE KEY-----
        """)

    /// The certificate of a client.
    public static let client = """
      -----BEGIN CERTIFICATE-----
      MIIBozCCAUigAwIBAgICEAUwCgYIKoZIzj0EAwIwGzEZMBcGA1UEAwwQRnJlc2hT
      dG9yZSB0ZXN0czAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowIDEe
      MBwGA1UEAwwVYSBjbGllbnQgb2YgdGhlIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZI
      zj0DAQcDQgAEpLegYqktcg6WH5CYIPJ41i19zKzT0m99qVXLIbaIvYhZa8qToXAe
      EkZTWtDgSh9jMzYv09AaVJ5DVxbsvjxXGqN1MHMwDAYDVR0TAQH/BAIwADAOBgNV
      HQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0OBBYEFEoqiEVQ
      c9I1U/PHGMmvwE5ou2aFMB8GA1UdIwQYMBaAFHRr0vAy6XqGXQUOvicVRHLy33CC
      MAoGCCqGSM49BAMCA0kAMEYCIQCN0WFovkegnKh+j0cvzOYzNtOyrxCbMfrM/yDb
      0lbPNgIhAPhkTlylH9XW5aqT4kaZ2WrgoJMh9jldAxBle3EDbel8
      -----END CERTIFICATE-----
      """

    /// The key of ``client``.
    public static let clientKey = """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9jT9Y8U1ibkxWnLL
      wO5o3aCqGSVui25MP8axfSPLb6GhRANCAASkt6BiqS1yDpYfkJgg8njWLX3MrNPS
      b32pVcshtoi9iFlrypOhcB4SRlNa0OBKH2MzNi/T0BpUnkNXFuy+PFca
      -----END PRIVATE KEY-----
      """

    /// The same, encrypted with the passphrase `secret`.
    public static let encryptedClientKey = """
      -----BEGIN ENCRYPTED PRIVATE KEY-----
      MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhVU2q7gt7w9QICCAAw
      DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEED6TNhRQWMHM6z+mB99ag5UEgZC3
      dwKd3ZqIpEKB/jpqWqQ9G0eUXjWinEuWmMaxqQs18xFSg4I4rSpqXRh6MucUnY9Z
      v+Ga4v+elSpml2EAXtsgj+rXCa++f31YdvCSa6+vuFJ+iYU+lQigbhQaTjZiIbhH
      7acSgmwCwSQb/8liyQYPaQ/FfZAgjK98CcyTw8qQT3ZhAdLMexKB4+MqizDqsls=
      -----END ENCRYPTED PRIVATE KEY-----
      """
  }
#endif
