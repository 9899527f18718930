// The shared suite of the storage port. Every adapter, including those of other vendors, must pass it. Adapter tests call it with
// their runner's registration function. It throws node:assert errors and imports no runner.
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import {
  type RegisterTest,
  type StorageSuiteFeatures,
  type StorageUnderTest,
  withBench,
} from './storage-suite-bench.ts';
import { concurrencyPart } from './storage-suite-concurrency.ts';
import { joiningPart } from './storage-suite-joining.ts';
import { sharingPart } from './storage-suite-sharing.ts';
import { transactionsPart } from './storage-suite-transactions.ts';
import { valuesPart } from './storage-suite-values.ts';

export type { HostTransaction, RegisterTest, StorageUnderTest } from './storage-suite-bench.ts';

/** The adapter's properties that the suite needs before the first database is created. */
export interface StorageSuiteOptions {
  /** The prefix of every test's name. */
  readonly name: string;
  /** An adapter that is never opened: its dialect and capabilities select the tests. */
  readonly adapter: StorageAdapter;
  /** Makes an empty database for each test. */
  createSubject(): Promise<StorageUnderTest>;
  /** Whether subjects offer `beginHostTransaction`. (Default: false) */
  readonly hostTransactions?: boolean;
  /** Whether two adapters on one subject see the same rows. (Default: true) */
  readonly shared?: boolean;
}

/** Registers the tests of the storage port with `test`, for example `suite('…')` of uvu. */
export function storageAdapterSuite(options: StorageSuiteOptions, test: RegisterTest): void {
  const offers: StorageSuiteFeatures = {
    dialect: options.adapter.dialect,
    capabilities: options.adapter.capabilities,
    hostTransactions: options.hostTransactions ?? false,
    shared: options.shared ?? true,
  };
  for (const part of [transactionsPart, concurrencyPart, sharingPart, valuesPart, joiningPart]) {
    part((name, run) => {
      test(`${options.name}: ${name}`, () => withBench(() => options.createSubject(), run));
    }, offers);
  }
}
