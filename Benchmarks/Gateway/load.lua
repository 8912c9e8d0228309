-- What wrk asks for, by the arguments after its own:
--   same            the address itself, again and again
--   keys FIRST      /small/FIRST and on, each once
--   keys FIRST N    the same, round and round among N
-- At its end a line of figures: requests, bytes, and microseconds in all, of the median and of the
-- 99th percentile, and errors.

function init(args)
  if args[1] ~= "keys" then return end
  local first, count, position = tonumber(args[2]), tonumber(args[3] or "0"), 0
  local before, after = wrk.format("GET", "/small/KEY"):match("^(.-)KEY(.*)$")
  request = function()
    local key = first + position
    if count > 0 then key = key % count end
    position = position + 1
    return before .. key .. after
  end
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    "figures %d %d %d %d %d %d\n", summary.requests, summary.bytes, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
