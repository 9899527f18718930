// How a plugin exports and erases the personal data that it stores. Called by service.personalData and by the plugin that
// stores people; the core then calls every composed plugin. If a table declares its personal data (personal-fields.ts), the core
// erases it, and the plugin need not.
import type { ReadContext, TransactionContext } from '../context/context.ts';
import type { WorkspaceHandle } from '../context/handle.ts';

/** A person, with every id and address under which rows may contain their data. */
export interface PersonIdentifiers {
  /** The id of the person's record, if a composed plugin has one. */
  readonly personId: string | null;
  readonly externalId: string | null;
  /** Normalised addresses (`normaliseAddress`): mail addresses, and phone numbers in E.164. */
  readonly emails: readonly string[];
}

/** A plugin's record of a person, with all present and former ids and addresses. */
export interface PersonRecord extends PersonIdentifiers {
  /** The present normalised address. */
  readonly email: string | null;
}

/** A person on one side of the workspace. */
export interface PersonIdentifiersOnSide extends PersonIdentifiers {
  readonly sandbox: boolean;
}

/**
 * Names a person by the id of their record, by the caller's own id or by an address. If the id of the record is given, an
 * address is a further address of the person.
 */
export interface PersonName {
  readonly personId?: string | undefined;
  readonly externalId?: string | undefined;
  readonly email?: string | undefined;
}

/** How an erasure that does not fit into one transaction reads and writes. */
export interface SweepContext {
  /** Reads outside any transaction. */
  readonly read: <T>(work: (handle: WorkspaceHandle) => Promise<T>) => Promise<T>;
  /** Runs `work` in its own transaction. */
  readonly write: <T>(work: (ctx: TransactionContext) => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
}

/** Finds addresses in texts, in any spelling, and replaces them with their pseudonyms. */
export interface AddressFinder {
  /** Whether a text, which may be JSON, contains one of the addresses. */
  isIn(text: string): boolean;
  /** Returns the text with pseudonyms in place of the addresses. */
  erase(text: string): string;
  /** Does the same in JSON: in all its strings, including keys. */
  eraseJson(json: string): string;
}

/**
 * A plugin's part of exports and erasures. Each method is called once for each affected side of the workspace, and its handle
 * or context is bound to that side, so the plugin need not handle sides. An erasure by a sandbox key skips plugins whose tables
 * have no sides.
 */
export interface PersonalData {
  /**
   * For the plugin that stores people: finds the records of a name. If `personId` is given, it finds that record, else the
   * records of `externalId` and `email`. With `lock`, it first waits for transactions that are storing people. Until its own
   * transaction ends, no other transaction can then change the records or store the person again from older input.
   */
  identify?(handle: WorkspaceHandle, name: PersonName, lock?: 'update'): Promise<readonly PersonRecord[]>;
  /** Returns all data about the person by kind of record, as the API shows it: at most `limit` records per kind, newest first. */
  export(
    ctx: ReadContext,
    subject: PersonIdentifiers,
    limit: number,
  ): Promise<Readonly<Record<string, readonly unknown[]>>>;
  /**
   * Erases some hundred rows in this transaction: it removes names and addresses and keeps counts. Returns `more` if rows are
   * left; it is then called again in another transaction.
   */
  erase(ctx: TransactionContext, subject: PersonIdentifiers): Promise<'done' | 'more'>;
  /** Called once after the last `erase`: scans rows that may mention an address and that no index finds. */
  sweep?(context: SweepContext, finder: AddressFinder): Promise<void>;
}

/** `ctx.ports.personalData`: all composed plugins together. A sandbox handle or sandbox effects never reach live rows. */
export interface PersonalDataPort {
  /** Calls `erase` of all plugins once. Returns `more` if one of them has rows left. */
  erase(ctx: TransactionContext, subjects: readonly PersonIdentifiersOnSide[]): Promise<'done' | 'more'>;
  /** Call it once after the last `erase`: scans the rows that no index finds, page by page. */
  sweep(context: SweepContext, subjects: readonly PersonIdentifiersOnSide[]): Promise<void>;
  /**
   * Finds the person of a name: with a sandbox handle on the sandbox side, else on both sides. Records on the other side are
   * found by external id and address. The result is never empty: if no plugin has a record, it contains the given id and
   * address. An erasure passes `lock` in its first transaction, so that it also finds data that is being stored at that moment.
   */
  identify(handle: WorkspaceHandle, name: PersonName, lock?: 'update'): Promise<readonly PersonIdentifiersOnSide[]>;
  /** Returns the records by plugin id, then by kind of record. Records of the sandbox side have `sandbox: true`. */
  export(
    handle: WorkspaceHandle,
    subjects: readonly PersonIdentifiersOnSide[],
  ): Promise<Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>>;
}
