// What a plugin knows of a person, and how it forgets it. Called by service.personalData and by the plugin that keeps people;
// the core goes through every composed plugin. What a plugin declares of its tables (personal-fields.ts) it need not erase itself.
import type { Effects, ServiceSurface } from './context.ts';
import type { WorkspaceHandle } from './handle.ts';

/** The person, by every name under which rows may hold them. */
export interface DataSubject {
  /** The id of the person's record, where a composed plugin keeps one. */
  readonly personId: string | null;
  readonly externalId: string | null;
  /** Normalised addresses (`normaliseAddress`). */
  readonly emails: readonly string[];
}

/** Names a person: by the id of their record, by an address, or by both where they had another address. */
export interface PersonName {
  readonly personId?: string | undefined;
  readonly email?: string | undefined;
}

/** Reads and writes of an erasure that does not fit one transaction. */
export interface SweepPlace {
  /** Outside any transaction. */
  readonly read: <T>(work: (handle: WorkspaceHandle) => Promise<T>) => Promise<T>;
  /** A transaction of its own. */
  readonly write: <T>(work: (effects: Effects) => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
}

/** Finds addresses in texts, however they are spelt there, and puts their pseudonyms in place. */
export interface AddressFinder {
  isIn(text: string): boolean;
  /** A text without the addresses. */
  erase(text: string): string;
  /** JSON without them: in each of its strings, keys too. */
  eraseJson(json: string): string;
}

/** A plugin's part of the person. */
export interface PersonalData {
  /** By which names somebody is known here; undefined where nobody is. For the plugin that keeps people. */
  identify?(handle: WorkspaceHandle, name: PersonName): Promise<DataSubject | undefined>;
  /** Everything held of the person, by kind of record, as the API shows such records. At most `limit` a kind, newest first. */
  export(
    handle: WorkspaceHandle,
    subject: DataSubject,
    surface: ServiceSurface,
    limit: number,
  ): Promise<Readonly<Record<string, readonly unknown[]>>>;
  /**
   * Erases some hundred rows' worth in this transaction: names and addresses go, counts stay. Answers `more` while
   * something is left, and is called again, in another transaction.
   */
  erase(effects: Effects, subject: DataSubject, surface: ServiceSurface): Promise<'done' | 'more'>;
  /** Goes through what no index finds and may name an address in passing. After the last round, once. */
  sweep?(place: SweepPlace, finder: AddressFinder): Promise<void>;
}

/** `ctx.ports.personalData`: all composed plugins together. */
export interface PersonalDataPort {
  /** One round over all plugins; `more` while one of them has more. */
  erase(effects: Effects, subject: DataSubject): Promise<'done' | 'more'>;
  /** After the last round, once: goes through what no index finds, page by page. */
  sweep(place: SweepPlace, subject: DataSubject): Promise<void>;
  /** By which names the composed plugins know somebody; those that were given where none does. */
  identify(handle: WorkspaceHandle, name: PersonName): Promise<DataSubject>;
  /** By plugin id, then kind of record. */
  export(
    handle: WorkspaceHandle,
    subject: DataSubject,
  ): Promise<Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>>;
}
