// The log of requests with a key: collected in memory and written in batches by the service's upkeep, never on the request path.
// Of the data that the caller sent, a row contains only the id of the request, because paths and queries may contain addresses.
import type { HttpRequest } from '../contract/http/http.ts';
import type { Logger } from '../contract/ports/platform.ts';
import type { Database } from '../storage/database.ts';
import { filledList } from '../storage/filled-list.ts';
import { oneSide, unscoped } from '../storage/scope.ts';

/** The key of a request, with its workspace and side. */
export interface RequestCaller {
  readonly workspaceId: string;
  readonly sandbox: boolean;
  readonly keyId: string;
}

/** A request that was answered. */
export interface AnsweredRequest {
  readonly ts: number;
  readonly requestId: string;
  readonly method: string;
  /** The path as it is declared. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/** The requests of this process that are not written yet. */
export interface RequestLog {
  /** Records the caller of a request. Called as soon as its key is found, so that a request over a limit is logged, too. */
  noteCaller(request: HttpRequest, caller: RequestCaller): void;
  /** Collects the request, if it had a key. */
  answered(request: HttpRequest, answered: AnsweredRequest): void;
  /** Whether some requests are not written yet. */
  readonly pending: boolean;
  /** Writes everything in batches. On failure the requests are kept for the next flush. @throws StorageError */
  flush(database: Database): Promise<void>;
}

type LoggedRequest = AnsweredRequest & RequestCaller;

/** Requests in one transaction, so that other writers never wait long. */
const batchSize = 250;
/** Requests that are kept while the database cannot store them. */
const maxBuffered = 20_000;

const unscopedReason = unscoped('requests to every workspace are written together');

/** The workspaces among these that were not deleted since their requests. */
async function existingWorkspaces(
  database: Database,
  requests: readonly LoggedRequest[],
): Promise<ReadonlySet<string>> {
  const ids = filledList([...new Set(requests.map(({ workspaceId }) => workspaceId))]);
  const rows = await database.read(unscopedReason, ({ db }) =>
    db.selectFrom('workspaces').select('id').where('id', 'in', ids).execute(),
  );
  return new Set(rows.map(({ id }) => id));
}

/** The log of this process. */
export function createRequestLog(log: Logger, newId: (prefix: string) => string): RequestLog {
  const callers = new WeakMap<HttpRequest, RequestCaller>();
  let buffered: LoggedRequest[] = [];
  let droppedCount = 0;

  const rowOf = ({ keyId, requestId, ts, method, route, status, ms }: LoggedRequest) => ({
    id: newId('rql'),
    ts,
    request_id: requestId,
    key_id: keyId,
    method,
    route,
    status,
    ms,
  });

  const write = async (database: Database, requests: readonly LoggedRequest[]): Promise<void> => {
    const workspaces = await existingWorkspaces(database, requests);
    const bySide = new Map<string, LoggedRequest[]>();
    for (const request of requests) {
      if (!workspaces.has(request.workspaceId)) continue;
      const side = `${request.workspaceId} ${request.sandbox}`;
      const group = bySide.get(side);
      if (group === undefined) bySide.set(side, [request]);
      else group.push(request);
    }
    await database.transact(async (scope) => {
      for (const group of bySide.values()) {
        const [{ workspaceId, sandbox }] = group as [LoggedRequest];
        const { db } = scope.handle(oneSide(workspaceId, sandbox));
        await db.insertInto('request_log').values(group.map(rowOf)).execute();
      }
    });
  };

  return {
    noteCaller: (request, caller) => void callers.set(request, caller),
    answered(request, answered) {
      const caller = callers.get(request);
      if (caller === undefined) return;
      if (buffered.length < maxBuffered) buffered.push({ ...answered, ...caller });
      else droppedCount += 1;
    },
    get pending() {
      return buffered.length > 0;
    },
    async flush(database) {
      if (droppedCount > 0)
        log.warn({ requests: droppedCount }, 'requests are missing in the request log: it was full');
      droppedCount = 0;
      const batchToWrite = buffered;
      buffered = [];
      for (let start = 0; start < batchToWrite.length; start += batchSize) {
        try {
          await write(database, batchToWrite.slice(start, start + batchSize));
        } catch (error) {
          buffered = [...batchToWrite.slice(start), ...buffered].slice(-maxBuffered);
          throw error;
        }
      }
    },
  };
}
