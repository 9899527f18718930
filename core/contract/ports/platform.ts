// The small ports that make a run repeatable: clock, randomness, ids, logs, phases, members.
// Everything in the core and the plugins that needs time or chance takes it from here.

/** The time. Simulated in tests (`advanceClock`). */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** A source of random bytes; cryptographically strong outside tests. */
export interface Randomness {
  bytes(length: number): Uint8Array;
}

/** Makes ids: a prefix and 26 Crockford base-32 characters in ULID layout (48 bits of time, 80 of chance). */
export interface IdSource {
  /** `create('snd')` → `snd_01JD…`; later ids of one process sort after earlier ones. */
  create(prefix: string): string;
}

/** A pino-shaped logger. Bodies, variables and secrets are never handed to it. */
export interface Logger {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/**
 * The core's named boundaries at which a crash must lose nothing and repeat nothing. Fault tests kill the process
 * there; in production nothing listens. The names belong to the fault tests, not to the public API.
 */
export const phases = [
  'request.received',
  'request.validated',
  'transaction.begun',
  'handler.done',
  'transaction.flushed',
  'transaction.committed',
  'answer.ready',
  'job.claimed',
  'job.started',
  'job.finishing',
  'job.finished',
] as const;

/** One of the named boundaries of the core, or of a plugin: `area.what_happened`. */
export type Phase = (typeof phases)[number] | `${string}.${string}`;

/** Called at every boundary; must return at once. */
export type PhaseListener = (phase: Phase, subject: string) => void;

/** A person of the embedding program's own directory. */
export interface Member {
  readonly uid: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
}

/** The embedding program's directory of people. */
export interface MembersPort {
  list(workspaceId: string): Promise<readonly Member[]>;
}
