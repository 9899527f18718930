// Runs the notes plugin as a service behind real HTTP, for the tests of the MCP endpoint.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { PlanName } from '../../core/contract/context/workspace.ts';
import type { HttpResponse } from '../../core/contract/http/http.ts';
import { createService, type Service } from '../../core/kernel/compose.ts';
import type { ServiceOptions } from '../../core/kernel/options.ts';
import type { NewKeyFields } from '../../core/kernel/provisioning.ts';
import { notesPlugin } from './notes-plugin.ts';

/** A service on its own port, and helpers for its tests. */
export interface NotesService {
  readonly service: Service;
  /** The URL of the MCP endpoint. */
  readonly url: string;
  /** Creates a workspace and returns its id. */
  workspace(name: string, plan?: PlanName): Promise<string>;
  /** Creates a key and returns its secret. (Default: every scope) */
  key(workspaceId: string, scopes?: readonly string[], more?: Partial<NewKeyFields>): Promise<string>;
  /** The audit entries of a workspace for calls of the notes plugin, newest last. */
  audit(workspaceId: string): Promise<readonly NotesAuditRow[]>;
  /** The warnings and errors that the service logged. */
  readonly logged: string[];
  stop(): Promise<void>;
}

/** An audit entry as stored in its table. */
export interface NotesAuditRow {
  readonly action: string;
  readonly actor: { readonly kind: string; readonly client?: string; readonly user?: string };
  readonly request_id: string;
  readonly idempotency_key: string | null;
}

const allScopes = ['notes:read', 'notes:write', 'notes:share'];

/** Serves a service's dispatch on plain node:http. */
export async function serve(
  dispatch: Service['dispatch'],
): Promise<{ readonly origin: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const write = ({ status, headers, body }: HttpResponse) => response.writeHead(status, headers).end(body);
    const headers = request.headers as Record<string, string>;
    void dispatch({
      method: request.method ?? 'GET',
      url: request.url ?? '/',
      headers,
      body: request,
      address: '127.0.0.1',
    }).then(write);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts a notes service. */
export async function startNotes(options: Partial<ServiceOptions<string>> = {}): Promise<NotesService> {
  const logLines: string[] = [];
  const log = (fields: Record<string, unknown>, message: string) =>
    logLines.push(`${message} ${JSON.stringify(fields)}`);
  const service = createService<string>({
    storage: sqliteStorage({ filename: ':memory:' }),
    plugins: [notesPlugin()],
    keyring: localKeyring({ keys: [{ id: 'k1', secret: randomBytes(32).toString('base64') }] }),
    name: 'Acme',
    environment: 'development',
    logger: { debug: () => undefined, info: () => undefined, warn: log, error: log },
    ...options,
  });
  await service.migrate();
  const http = await serve(service.dispatch);
  return {
    service,
    url: `${http.origin}/v1/mcp`,
    logged: logLines,
    async workspace(name, plan = 'hobby') {
      const { id } = await service.workspaces.create({
        name,
        plan,
        defaultFrom: { email: 'hello@acme.test', name },
        credits: 1_000,
      });
      return id;
    },
    async key(workspaceId, scopes = allScopes, more = {}) {
      const { secret } = await service.keys.create({
        workspaceId,
        name: 'key',
        mode: 'mcp',
        scopes,
        createdBy: 'ada',
        ...more,
      });
      return secret;
    },
    async audit(workspaceId) {
      const database = await service.core.database();
      const rows = await database.read(workspaceId, ({ db }) =>
        db
          .selectFrom('audit')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('action', 'like', 'note.%')
          .orderBy('id')
          .execute(),
      );
      return rows.map((row) => ({ ...row, actor: { kind: row.actor_kind, ...(JSON.parse(row.actor) as object) } }));
    },
    async stop() {
      await http.stop();
      await service.stop();
    },
  };
}
