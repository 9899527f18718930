// The members that plugins add to the service: calls of the embedding program, each made at its first use. Called by compose.ts.
import type { ProvisioningContext } from '../contract/declaration/provisioning.ts';
import type { Core } from '../pipeline/core.ts';
import { readContextOf } from '../pipeline/read-context.ts';
import { unscoped } from '../storage/scope.ts';
import { CompositionError } from './registry.ts';
import { inWorkspace, readWorkspace } from './workspace-transaction.ts';

/** The member of the service with this name, if calls can be added to it: not if a plugin adds the member itself. */
function memberOf(service: object, name: string): object | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(service, name)?.value;
  return typeof value === 'object' && value !== null ? value : undefined;
}

/**
 * Adds the calls of the composed plugins to the service. A name such as `workspaces.archive` adds a call to a member of the core.
 * @throws CompositionError if the service already has a member of that name, or lacks the member of a name with a dot
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
    async readUnscoped(reason, work) {
      const database = await core.database();
      return database.read(unscoped(reason), work);
    },
    write: async (workspaceId, work) => inWorkspace(core, await readWorkspace(core, workspaceId), work),
  };
  for (const { id, provisioning } of core.registry.plugins)
    for (const [name, factory] of Object.entries(provisioning)) {
      const dot = name.indexOf('.');
      const target = dot < 0 ? service : memberOf(service, name.slice(0, dot));
      if (target === undefined)
        throw new CompositionError([
          `The provisioning ${name} of ${id} adds a call to a member that the service lacks.`,
        ]);
      const member = name.slice(dot + 1);
      if (Object.hasOwn(target, member))
        throw new CompositionError([`The provisioning ${name} of ${id} has the name of a member of the service.`]);
      let calls: unknown;
      Object.defineProperty(target, member, {
        enumerable: true,
        get() {
          calls ??= factory(context);
          return calls;
        },
      });
    }
}
