// The shared suite of the storage port. Every adapter, including those of other vendors, must pass it. Adapter tests call it with
// their runner's registration function. It throws node:assert errors and imports no runner.
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import { concurrencyPart } from './storage-suite-concurrency.ts';
import { joiningPart } from './storage-suite-joining.ts';
import { type Offers, type RegisterTest, type StorageSubject, withBench } from './storage-suite-subject.ts';
import { transactionsPart } from './storage-suite-transactions.ts';
import { valuesPart } from './storage-suite-values.ts';

export type { HostTransaction, RegisterTest, StorageSubject } from './storage-suite-subject.ts';

/** The adapter's properties that the suite needs before the first database is created. */
export interface StorageSuiteOptions {
  /** The prefix of every test's name. */
  readonly name: string;
  /** An adapter that is never opened: its dialect and capabilities select the tests. */
  readonly adapter: StorageAdapter;
  /** Makes an empty database for each test. */
  createSubject(): Promise<StorageSubject>;
  /** Whether subjects offer `beginHostTransaction`. (Default: false) */
  readonly hostTransactions?: boolean;
  /** Whether two adapters on one subject see the same rows. (Default: true) */
  readonly shared?: boolean;
}

/** Registers the tests of the storage port with `test`, for example `suite('…')` of uvu. */
export function storageAdapterSuite(options: StorageSuiteOptions, test: RegisterTest): void {
  const offers: Offers = {
    dialect: options.adapter.dialect,
    capabilities: options.adapter.capabilities,
    hostTransactions: options.hostTransactions ?? false,
    shared: options.shared ?? true,
  };
  for (const part of [transactionsPart, concurrencyPart, valuesPart, joiningPart]) {
    part((name, run) => {
      test(`${options.name}: ${name}`, () => withBench(() => options.createSubject(), run));
    }, offers);
  }
}
