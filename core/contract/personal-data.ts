// The personal data that a plugin holds, and how it erases it. Called by service.personalData and by the plugin that
// keeps people; the core calls every composed plugin. What a table declares (personal-fields.ts), the plugin need not
// erase itself.
import type { ReadContext, TransactionContext } from './context.ts';
import type { WorkspaceHandle } from './handle.ts';

/** The person, with every id and address under which rows may hold their data. */
export interface DataSubject {
  /** The id of the person's record, where a composed plugin keeps one. */
  readonly personId: string | null;
  readonly externalId: string | null;
  /** Normalised addresses (`normaliseAddress`): of mail, and E.164 numbers of phones. */
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
 * Names a person by the id of their record, by the caller's own id or by an address. An address beside the id of the record is
 * a further address of the person.
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
  readonly write: <T>(work: (ctx: TransactionContext) => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
}

/** Finds addresses in texts, in any spelling, and replaces them with their pseudonyms. */
export interface AddressFinder {
  /** Whether a text has one of them; the text may be JSON. */
  isIn(text: string): boolean;
  /** A text without the addresses. */
  erase(text: string): string;
  /** JSON without them: in all its strings, also in keys. */
  eraseJson(json: string): string;
}

/**
 * A plugin's part of exports and erasures. Each method is called once for each affected side of the workspace, with a handle,
 * effects and reads of that side, so it need not know of sides. An erasure by a sandbox key skips plugins without sided tables.
 */
export interface PersonalData {
  /** Finds the records of a name: that of `personId`; without one, those of `externalId` and `email`. For the plugin that stores people. */
  identify?(handle: WorkspaceHandle, name: PersonName): Promise<readonly PersonRecord[]>;
  /** All data about the person, by kind of record, as the API shows it. At most `limit` records of each kind, newest first. */
  export(ctx: ReadContext, subject: DataSubject, limit: number): Promise<Readonly<Record<string, readonly unknown[]>>>;
  /**
   * Erases some hundred rows in this transaction: names and addresses go, counts stay. Answers `more` while rows are
   * left, and is then called again in another transaction.
   */
  erase(ctx: TransactionContext, subject: DataSubject): Promise<'done' | 'more'>;
  /** Called once after the last round: scans rows that no index finds and that may mention an address. */
  sweep?(place: SweepPlace, finder: AddressFinder): Promise<void>;
}

/** `ctx.ports.personalData`: all composed plugins together. A sandbox handle or sandbox effects never reach live rows. */
export interface PersonalDataPort {
  /** One round over all plugins; `more` while one of them has more. */
  erase(ctx: TransactionContext, subjects: readonly SidedSubject[]): Promise<'done' | 'more'>;
  /** Once after the last round: scans the rows that no index finds, page by page. */
  sweep(place: SweepPlace, subjects: readonly SidedSubject[]): Promise<void>;
  /**
   * Finds the person of a name: on the sandbox side for a sandbox handle, else on both sides; records on the other side are found
   * by external id and address. Never empty: without a record in any plugin, the given names stand for the person.
   */
  identify(handle: WorkspaceHandle, name: PersonName): Promise<readonly SidedSubject[]>;
  /** By plugin id, then kind of record. Records of the sandbox side have `sandbox: true`. */
  export(
    handle: WorkspaceHandle,
    subjects: readonly SidedSubject[],
  ): Promise<Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>>;
}
