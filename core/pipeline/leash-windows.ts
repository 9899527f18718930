// The sliding windows of a leash: arithmetic only. A window has parts: the minutes of an hour, the quarter hours of a day. An
// amount counts until its whole part is older than the window. So no window ever exceeds the limit, and an amount is freed at
// most one part too late. Called by leash.ts.
import type { Leash } from '../contract/values/leash.ts';

/** A limit of a leash on the usage within a window of time. */
export type LeashLimit = 'sendsPerHour' | 'recipientsPerDay' | 'creditsPerDay';

const minute = 60_000;

/** The length of each window and of its parts, in milliseconds. */
const windows: Readonly<Record<LeashLimit, { readonly length: number; readonly part: number }>> = {
  sendsPerHour: { length: 60 * minute, part: minute },
  recipientsPerDay: { length: 1_440 * minute, part: 15 * minute },
  creditsPerDay: { length: 1_440 * minute, part: 15 * minute },
};

/** The limits, in the order in which a refusal names them. */
export const leashLimits = Object.keys(windows) as readonly LeashLimit[];

/** After this time, nothing that a call counted is in any window. */
export const longestWindowMs = 1_455 * minute;

/** The usage of a key: for each limit, the amounts by the number of their part. */
export type LeashUsage = Readonly<Record<LeashLimit, Map<number, number>>>;

/** How much of a limit is used up, and when that changes. */
export interface LimitState {
  readonly limit: number;
  /** Negative if the limit was lowered below the used amount. */
  readonly left: number;
  /** When something is free again; undefined if nothing is used. */
  readonly renewsAt: number | undefined;
}

/** The stored usage, without amounts that have left their window. */
export function readUsage(stored: string | undefined, now: number): LeashUsage {
  const entries = (stored === undefined ? {} : JSON.parse(stored)) as Partial<Record<LeashLimit, [number, number][]>>;
  const current = (name: LeashLimit) =>
    new Map((entries[name] ?? []).filter(([part]) => endOf(name, part) > now && part >= 0));
  return {
    sendsPerHour: current('sendsPerHour'),
    recipientsPerDay: current('recipientsPerDay'),
    creditsPerDay: current('creditsPerDay'),
  };
}

/** The usage as it is stored. */
export const writeUsage = (usage: LeashUsage): string =>
  JSON.stringify(Object.fromEntries(leashLimits.map((name) => [name, [...usage[name]]])));

/** When the amounts of a part leave the window. */
function endOf(name: LeashLimit, part: number): number {
  const window = windows[name];
  return (part + 1) * window.part + window.length;
}

/** Adds an amount. A negative amount gives back an amount that was added at the same time. */
export function addUsage(usage: LeashUsage, name: LeashLimit, amount: number, now: number): void {
  const part = Math.floor(now / windows[name].part);
  usage[name].set(part, (usage[name].get(part) ?? 0) + amount);
}

/** When an amount would be free; undefined if it is larger than the limit. `now` if it is free already. */
export function freeAt(
  usage: LeashUsage,
  name: LeashLimit,
  limit: number,
  amount: number,
  now: number,
): number | undefined {
  if (amount > limit) return undefined;
  const parts = [...usage[name]].sort(([a], [b]) => a - b);
  let used = parts.reduce((sum, [, count]) => sum + count, 0);
  let at = now;
  for (const [part, count] of parts) {
    if (used + amount <= limit) break;
    used -= count;
    at = endOf(name, part);
  }
  return at;
}

/** The state of one limit. */
export function stateOf(usage: LeashUsage, name: LeashLimit, limit: number): LimitState {
  const parts = [...usage[name]].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const used = parts.reduce((sum, [, count]) => sum + count, 0);
  const [oldest] = parts;
  return { limit, left: limit - used, renewsAt: oldest === undefined ? undefined : endOf(name, oldest[0]) };
}

/** The limits that a leash sets. */
export const limitsOf = (leash: Leash): readonly (readonly [LeashLimit, number])[] =>
  leashLimits.flatMap((name) => {
    const limit = leash[name];
    return limit === undefined ? [] : [[name, limit] as const];
  });
