// The script that decides one request inside Redis, in one atomic step, and the parser of its result. Called by redis.ts only. It
// counts exactly as core/contract/values/limit-rule.ts does (the same sums of the same doubles, in the same order); a test
// compares the two. Requires Redis 5 or later, or a server with its protocol and its Lua.
import { createHash } from 'node:crypto';
import { disorderMs, type LimitStatus, type LimitTerms, maxBucketMs, windowSlots } from '../kit/limit-rule.ts';

/**
 * KEYS: the key's bucket (`level at until`), the workspace's window (a hash: at, used, and grants for each slot). ARGV: now
 * (empty: this server's clock), full, rate, perMinute (each empty if unlimited), milliseconds that keys are kept after they stop
 * counting, and the cost of the request in the bucket. A refusal writes nothing. A missing value is returned as an empty text.
 */
export const takeScript = `
local now, full, rate = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local perMinute, spare, cost = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
if not now then
  local clock = redis.call('TIME')
  now = clock[1] * 1000 + math.floor(clock[2] / 1000)
end
local function text(number) return string.format('%.0f', number) end
local function live(at, till) return till > now and at - now <= ${disorderMs} end
local function windowTill(at) return (math.floor(at / 1000) + ${windowSlots}) * 1000 end

local time = now
local kept, keptAt, windowAt
local used = 0
if full then
  local bucket = redis.call('GET', KEYS[1])
  if bucket then
    local level, at, till = string.match(bucket, '^(%S+) (%S+) (%S+)$')
    if live(tonumber(at), tonumber(till)) then
      kept, keptAt = tonumber(level), tonumber(at)
      time = math.max(time, keptAt)
    end
  end
end
if perMinute then
  local window = redis.call('HMGET', KEYS[2], 'at', 'used')
  if window[1] and live(tonumber(window[1]), windowTill(tonumber(window[1]))) then
    windowAt, used = tonumber(window[1]), tonumber(window[2])
    time = math.max(time, windowAt)
  end
end

local level = full or 0
if kept then level = math.min(full, kept + (time - keptAt) * rate) end
local second = math.floor(time / 1000)
local passed = ${windowSlots}
local gone = {}
if windowAt then
  local known = math.floor(windowAt / 1000)
  passed = second - known
  if passed >= ${windowSlots} then
    used = 0
  elseif passed > 0 then
    for current = known + 1, second do gone[#gone + 1] = text(current % ${windowSlots}) end
    for _, grants in ipairs(redis.call('HMGET', KEYS[2], unpack(gone))) do used = used - (tonumber(grants) or 0) end
  end
end

local workspaceTripped = perMinute and used + 1 > perMinute
local opensAt
if workspaceTripped and windowAt then
  local slots = {}
  for slot = 1, ${windowSlots} do slots[slot] = text(slot - 1) end
  local grants = redis.call('HMGET', KEYS[2], unpack(slots))
  local excess = used + 1 - perMinute
  for current = second - ${windowSlots - 1}, math.floor(windowAt / 1000) do
    excess = excess - (tonumber(grants[current % ${windowSlots} + 1]) or 0)
    if excess <= 0 then
      opensAt = (current + ${windowSlots}) * 1000
      break
    end
  end
end

if not workspaceTripped and not (full and level < cost) then
  if full then
    local left = math.min(full, level - cost)
    local wait = math.min(math.ceil((full - left) / rate), ${maxBucketMs})
    local bucket = text(left) .. ' ' .. text(time) .. ' ' .. text(time + wait)
    redis.call('SET', KEYS[1], bucket, 'PX', text(math.max(1, wait + spare)))
  end
  if perMinute then
    if passed >= ${windowSlots} then
      redis.call('DEL', KEYS[2])
    elseif passed > 0 then
      redis.call('HDEL', KEYS[2], unpack(gone))
    end
    redis.call('HSET', KEYS[2], 'at', text(time), 'used', text(used + 1))
    redis.call('HINCRBY', KEYS[2], text(second % ${windowSlots}), 1)
    if passed > 0 then redis.call('PEXPIRE', KEYS[2], text(windowTill(time) - time + spare)) end
  end
end
local answer = { now, time, level, used, kept or '', keptAt or '', windowAt or '', opensAt or '' }
for index, value in ipairs(answer) do if value ~= '' then answer[index] = text(value) end end
return answer`;

/** The hash by which Redis identifies the script after loading it. */
export const takeScriptHash = createHash('sha1').update(takeScript).digest('hex');

/** ARGV of the script. */
export function argumentsOf(terms: LimitTerms, now: number | undefined, extraTtlMs: number): string[] {
  const argumentOf = (limited: boolean, figure: number): string => (limited ? String(figure) : '');
  return [
    now === undefined ? '' : String(now),
    argumentOf(terms.keyLimited, terms.full),
    argumentOf(terms.keyLimited, terms.rate),
    argumentOf(terms.workspaceLimited, terms.perMinute),
    String(extraTtlMs),
    String(terms.cost),
  ];
}

/** Parses the script's result. @throws Error if it is not a list of eight numbers or empty texts */
export function readLimitStatus(response: unknown): LimitStatus {
  if (!Array.isArray(response) || response.length !== 8)
    throw new Error('The response of Redis is not a result of the rate limit script.');
  const [now, time, level, used, storedLevel, storedAt, windowAt, opensAt] = response.map((value: unknown) =>
    String(value) === '' ? undefined : Number(value),
  );
  if (![now, time, level, used].every(Number.isFinite))
    throw new Error('The response of Redis contains values that are not numbers.');
  return {
    now: now as number,
    time: time as number,
    level: level as number,
    used: used as number,
    bucket: storedLevel === undefined || storedAt === undefined ? undefined : { level: storedLevel, at: storedAt },
    windowAt,
    opensAt: opensAt ?? Number.POSITIVE_INFINITY,
  };
}
