// What an operation's fixture may use to make the rows that its valid input needs. Implemented by postrider/testing.
import type { Effects } from './context.ts';
import type { Services } from './open.ts';

/** The tools of a fixture: typed calls in the workspace under test and in a foreign one. */
export interface FixtureKit {
  readonly workspaceId: string;
  /** Another workspace of the same service, for rows that must look missing. */
  readonly foreignWorkspaceId: string;
  readonly services: Services;
  /** The id of a new API key. */
  apiKey(workspaceId?: string): Promise<string>;
  /** A different value at every call, for keys and addresses. */
  unique(prefix: string): string;
  /** Runs an operation in process, as the embedding program: `call('notes.create', { key })`. */
  call(
    operationId: string,
    flat: Readonly<Record<string, unknown>>,
    workspaceId?: string,
  ): Promise<Record<string, unknown>>;
  /** Writes rows directly, in a transaction of the workspace. */
  write<T>(work: (effects: Effects) => Promise<T>, workspaceId?: string): Promise<T>;
}
