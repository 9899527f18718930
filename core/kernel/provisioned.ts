// The members that plugins add to the service: calls of the embedding program, each made at its first use. Called by compose.ts.
import type { ProvisioningContext } from '../contract/provisioning.ts';
import type { Core } from '../pipeline/core.ts';
import { readContextOf } from '../pipeline/read-context.ts';
import { CompositionError } from './registry.ts';
import { inWorkspace, readWorkspace } from './workspace-transaction.ts';

/**
 * Adds the calls of the composed plugins to the service.
 * @throws CompositionError if the service already has a member of that name
 */
export function addProvisioned(service: object, core: Core): void {
  const context: ProvisioningContext = {
    services: core.services,
    ports: core.ports,
    log: core.log,
    async read(workspaceId, work) {
      await readWorkspace(core, workspaceId);
      const database = await core.database();
      return database.read(workspaceId, (trx) => work(readContextOf(core, trx, core.ports.now())));
    },
    write: async (workspaceId, work) => inWorkspace(core, await readWorkspace(core, workspaceId), work),
  };
  for (const { id, provisioning } of core.registry.plugins)
    for (const [name, factory] of Object.entries(provisioning)) {
      if (Object.hasOwn(service, name))
        throw new CompositionError([`The provisioning ${name} of ${id} has the name of a member of the service.`]);
      let made: unknown;
      Object.defineProperty(service, name, {
        enumerable: true,
        get() {
          made ??= factory(context);
          return made;
        },
      });
    }
}
