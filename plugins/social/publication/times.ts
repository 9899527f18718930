// The delays and time limits of publications and removals, in milliseconds, and the kinds of their jobs.

const minute = 60_000;
const hour = 3_600_000;

/** The delays before another attempt after a `transient` failure. */
export const retryDelaysMs = [minute, 5 * minute, 15 * minute, hour, 3 * hour];
/** The maximum number of attempts of a publication. */
export const maxTries = retryDelaysMs.length + 1;
/** The delays before another probe after an unclear answer. */
export const probeDelaysMs = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour];
/** The delay before the first probe after a lost response, because the network may still receive the request. */
export const firstProbeDelayMs = minute;
/** The delay if the network does not say when its limit ends. */
const defaultLimitDelayMs = 15 * minute;
/** The maximum delay before another attempt at a limited network. */
const maxLimitDelayMs = 6 * hour;
/** The maximum total time that a target waits for limits. */
export const maxLimitedMs = 24 * hour;
/** A lease that was renewed within this time certainly is still held. Far shorter than the lease itself. */
export const trustedReservationMs = 5_000;
/** A scheduled post is not published any more if its time passed longer ago than this. */
export const maxLateMs = 6 * hour;

/** The time of the next attempt after a limit. */
export const afterLimit = (now: number, until: number | undefined): number =>
  Math.min(Math.max(until ?? now + defaultLimitDelayMs, now + minute), now + maxLimitDelayMs);

export const publishTargetKind = 'social.publish_target';
export const endTargetKind = 'social.end_target';
export const simulateKind = 'social.simulate';
export const publishDueKind = 'social.publish_due';
