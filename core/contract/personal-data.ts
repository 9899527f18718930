// The personal data that a plugin holds, and how it erases it. Called by service.personalData and by the plugin that
// keeps people; the core calls every composed plugin. What a table declares (personal-fields.ts), the plugin need not
// erase itself.
import type { Effects, ServiceSurface } from './context.ts';
import type { WorkspaceHandle } from './handle.ts';

/** The person, with every id and address under which rows may hold their data. */
export interface DataSubject {
  /** The id of the person's record, where a composed plugin keeps one. */
  readonly personId: string | null;
  readonly externalId: string | null;
  /** Normalised addresses (`normaliseAddress`). */
  readonly emails: readonly string[];
}

/** A record that a plugin keeps of a person, with every name that it has and had. */
export interface PersonRecord extends DataSubject {
  /** The normalised address that it has now. */
  readonly email: string | null;
}

/** A person on one side of the workspace. */
export interface SidedSubject extends DataSubject {
  readonly sandbox: boolean;
}

/**
 * Names a person: by the id of their record, by the caller's own id, by an address. Beside the id of the record an address is one
 * more that the person had.
 */
export interface PersonName {
  readonly personId?: string | undefined;
  readonly externalId?: string | undefined;
  readonly email?: string | undefined;
}

/** Reads and writes of an erasure that does not fit into one transaction. */
export interface SweepPlace {
  /** Outside any transaction. */
  readonly read: <T>(work: (handle: WorkspaceHandle) => Promise<T>) => Promise<T>;
  /** Runs in a transaction of its own. */
  readonly write: <T>(work: (effects: Effects) => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
}

/** Finds addresses in texts, in any spelling, and replaces them with their pseudonyms. */
export interface AddressFinder {
  isIn(text: string): boolean;
  /** A text without the addresses. */
  erase(text: string): string;
  /** JSON without them: in all its strings, also in keys. */
  eraseJson(json: string): string;
}

/**
 * A plugin's part of the person. Every method is called once for each side of the workspace that is concerned, with a handle, effects
 * and reads of that side, so it need not know of sides. A plugin none of whose tables has sides is left out where a sandbox key erases.
 */
export interface PersonalData {
  /** The records that a name means: that of `personId`; without one, those of `externalId` and `email`. For the plugin that keeps people. */
  identify?(handle: WorkspaceHandle, name: PersonName): Promise<readonly PersonRecord[]>;
  /** Everything held of the person, by kind of record, as the API shows such records. At most `limit` a kind, newest first. */
  export(
    handle: WorkspaceHandle,
    subject: DataSubject,
    surface: ServiceSurface,
    limit: number,
  ): Promise<Readonly<Record<string, readonly unknown[]>>>;
  /**
   * Erases some hundred rows in this transaction: names and addresses go, counts stay. Answers `more` while rows are
   * left, and is then called again in another transaction.
   */
  erase(effects: Effects, subject: DataSubject, surface: ServiceSurface): Promise<'done' | 'more'>;
  /** Called once after the last round: scans rows that no index finds and that may mention an address. */
  sweep?(place: SweepPlace, finder: AddressFinder): Promise<void>;
}

/** `ctx.ports.personalData`: all composed plugins together. What a sandbox handle or sandbox effects begin never reaches live rows. */
export interface PersonalDataPort {
  /** One round over all plugins; `more` while one of them has more. */
  erase(effects: Effects, subjects: readonly SidedSubject[]): Promise<'done' | 'more'>;
  /** After the last round, once: goes through what no index finds, page by page. */
  sweep(place: SweepPlace, subjects: readonly SidedSubject[]): Promise<void>;
  /**
   * Whom a name means. A sandbox handle: on the sandbox side. Another one: on both sides, where the other side's records are found by
   * external id and address. Never empty: where no plugin keeps a record, the names that were given stand for the person.
   */
  identify(handle: WorkspaceHandle, name: PersonName): Promise<readonly SidedSubject[]>;
  /** By plugin id, then kind of record. Those of the sandbox side say `sandbox: true`. */
  export(
    handle: WorkspaceHandle,
    subjects: readonly SidedSubject[],
  ): Promise<Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>>;
}
