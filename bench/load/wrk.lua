-- Sends the requests of a file in turn and counts the answers that are not what they should be.
-- Arguments: the file (requests apart by a zero byte), then the texts every answer must contain.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  bad, first_bad, requests, turn = 0, '', {}, 0
  expected = { unpack(args, 2) }
  local file = io.open(args[1], 'rb')
  for text in file:read('*a'):gmatch('[^%z]+') do table.insert(requests, text) end
  file:close()
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

local function contains_all(body)
  for _, text in ipairs(expected) do
    if not body:find(text, 1, true) then return false end
  end
  return true
end

function response(status, headers, body)
  if status == 200 and contains_all(body) then return end
  if bad == 0 then first_bad = status .. ' ' .. body:sub(1, 300) end
  bad = bad + 1
end

function done(summary, latency)
  local bad, first_bad = 0, ''
  for _, thread in ipairs(threads) do
    bad = bad + thread:get('bad')
    if first_bad == '' then first_bad = thread:get('first_bad') end
  end
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('\noutcome %d %d %.1f %.1f %d %d %s\n', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), broken, bad, first_bad:gsub('%s+', ' ')))
end
