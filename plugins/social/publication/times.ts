// The timetable of publications and removals, and the kinds of their jobs.

const minute = 60_000;
const hour = 3_600_000;

/** After a failure that passes. */
export const retryDelaysMs = [minute, 5 * minute, 15 * minute, hour, 3 * hour];
/** Tries at most. */
export const maxTries = retryDelaysMs.length + 1;
/** After an answer that does not say what became of a step. */
export const probeDelaysMs = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour];
/** A request whose answer is lost may still be on its way: its effect is not asked for before. */
export const settleMs = minute;
/** A limit of the network without a time. */
const unnamedLimitMs = 15 * minute;
/** A limit is checked at least this often. */
const longestLimitMs = 6 * hour;
/** Limits make a target wait so long at most, in all. */
export const maxLimitedMs = 24 * hour;
/** How long a lease that was renewed counts as held without being asked for: far shorter than it lasts. */
export const confirmedMs = 5_000;
/** A scheduled post that is later than this is not published any more. */
export const maxLateMs = 6 * hour;

/** When to come back after a limit. */
export const afterLimit = (now: number, until: number | undefined): number =>
  Math.min(Math.max(until ?? now + unnamedLimitMs, now + minute), now + longestLimitMs);

export const publishTargetKind = 'social.publish_target';
export const endTargetKind = 'social.end_target';
export const simulateKind = 'social.simulate';
export const publishDueKind = 'social.publish_due';
