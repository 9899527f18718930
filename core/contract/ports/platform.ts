// The small ports that make a run repeatable: clock, randomness, ids, logs, phases, members.
// All code in the core and the plugins gets the time and random values from here.

/** The time. Simulated in tests (`advanceClock`). */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** A source of random bytes; cryptographically strong outside tests. */
export interface Randomness {
  bytes(length: number): Uint8Array;
}

/** Makes ids: a prefix and 26 Crockford base-32 characters in ULID layout (48 bits of time, 80 random bits). */
export interface IdSource {
  /** `create('snd')` returns `snd_01JD…`. Within one process, later ids sort after earlier ids. */
  create(prefix: string): string;
}

/** A logger with the interface of pino. Bodies, variables and secrets are never passed to it. */
export interface Logger {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/**
 * The core's named crash boundaries: a crash at one of them must lose nothing and repeat nothing. Fault tests kill the process
 * there. In production there is no listener. The names are for the fault tests and not a part of the public API.
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

/** Called at every boundary. Must return at once. */
export type PhaseListener = (phase: Phase, subject: string) => void;

/** A person in the embedding program's own directory. */
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
