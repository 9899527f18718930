// Asks the plugin that issues bearer tokens for the key of a token, with access to the database. Called by container.ts.
import type { BearerKey } from '../contract/declaration/bearer-tokens.ts';
import type { Core } from '../pipeline/core.ts';
import { readContextOf } from '../pipeline/read-context.ts';
import { oneSide, unscoped } from '../storage/scope.ts';
import { inWorkspace, readWorkspace } from './workspace-transaction.ts';

/** The key that a bearer token represents; undefined if no composed plugin knows the token. */
export async function findKeyOfToken(core: Core, token: string, now: number): Promise<BearerKey | undefined> {
  const { bearerTokens } = core.registry;
  if (bearerTokens === undefined) return undefined;
  const { services, ports, log } = core;
  return bearerTokens.resolve(
    {
      services,
      ports,
      log,
      now,
      toolNames: core.registry.tools.keys(),
      async read(workspaceId, work) {
        const database = await core.database();
        return database.read(oneSide(workspaceId, false), (trx) => work(readContextOf(core, trx, now)));
      },
      async readUnscoped(reason, work) {
        const database = await core.database();
        return database.read(unscoped(reason), work);
      },
      async transact(workspaceId, work, { sandbox = false } = {}) {
        return inWorkspace(core, await readWorkspace(core, workspaceId), work, { sandbox });
      },
    },
    token,
  );
}
