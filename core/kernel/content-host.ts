// Checks the content host that the program gives a workspace: it must be a host name that no route and no plugin uses for
// something else. Called by provisioning.ts.
import { coreErrors } from '../contract/errors/core-errors.ts';
import { hostName } from '../contract/values/host-name.ts';
import type { Core } from '../pipeline/core.ts';
import { unscoped } from '../storage/scope.ts';

const refuse = (summary: string): never => {
  throw coreErrors.validation_failed({ summary: `contentHost: ${summary}` });
};

/** Whether a public route is served only on this host. `isUsed` finds the hosts that plugins keep. */
const isRouted = ({ registry, ports }: Core, host: string): boolean =>
  registry.plugins.some(({ publicRoutes, contributes }) =>
    publicRoutes.some(({ hosts }) =>
      typeof hosts === 'function'
        ? !Object.hasOwn(contributes, 'core.hosts') && hosts(host, ports.service)
        : hosts?.some((name) => hostName(name) === host),
    ),
  );

async function isUsed(core: Core, host: string): Promise<boolean> {
  const keepers = core.ports.contributions('core.hosts');
  if (keepers.size === 0) return false;
  const database = await core.database();
  return database.read(unscoped('a host must be unique over all workspaces'), async (handle) => {
    for (const keeper of keepers.values()) if (await keeper.uses(handle, host)) return true;
    return false;
  });
}

/** The normalised host; null and undefined are returned unchanged. @throws validation_failed, state_conflict */
export async function checkedContentHost(
  core: Core,
  workspaceId: string,
  input: string | null | undefined,
): Promise<string | null | undefined> {
  if (input === undefined || input === null) return input;
  const host = typeof input === 'string' ? hostName(input) : undefined;
  if (host === undefined || host.startsWith('['))
    return refuse(`${JSON.stringify(input)} is not a host name, such as news.example.com.`);
  const { publicUrl } = core.ports.service;
  if (publicUrl !== undefined && hostName(new URL(publicUrl).host) === host)
    return refuse(`${host} is the host of the service itself. Use another host for the pages of ${workspaceId}.`);
  if (isRouted(core, host) || (await isUsed(core, host)))
    throw coreErrors.state_conflict({ reason: `The host ${host} is in use for something else.` });
  return host;
}
