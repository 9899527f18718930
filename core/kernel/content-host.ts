// Checks the content host that the program gives a workspace: a host name that no route and no plugin uses otherwise.
// Called by provisioning.ts.
import { coreErrors } from '../contract/core-errors.ts';
import { hostName } from '../contract/host-name.ts';
import type { HostUsers } from '../contract/public-route.ts';
import type { Core } from '../pipeline/core.ts';
import { unscoped } from '../storage/scope.ts';

const refuse = (summary: string): never => {
  throw coreErrors.validation_failed({ summary: `contentHost: ${summary}` });
};

/** Whether a public route is served on this host alone. Of hosts that a plugin keeps in the database, `isUsed` knows. */
const isRouted = ({ registry, ports }: Core, host: string): boolean =>
  registry.publicRoutes.some(({ hosts, hostUsers }) => {
    if (hosts === undefined || hostUsers !== undefined) return false;
    return typeof hosts === 'function' ? hosts(host, ports.service) : hosts.some((name) => hostName(name) === host);
  });

async function isUsed(core: Core, host: string): Promise<boolean> {
  const names = Object.keys(core.services).filter((name) => name.startsWith('hostUsersOf'));
  if (names.length === 0) return false;
  const database = await core.database();
  return database.read(unscoped('a host belongs to one workspace of all'), async (handle) => {
    for (const name of names) {
      const users: HostUsers | undefined = core.services[name as `hostUsersOf${string}`];
      if ((await users?.uses(handle, host)) === true) return true;
    }
    return false;
  });
}

/** The normalised host, or what was given where that is no text. @throws validation_failed, state_conflict */
export async function checkedContentHost(
  core: Core,
  workspaceId: string,
  given: string | null | undefined,
): Promise<string | null | undefined> {
  if (given === undefined || given === null) return given;
  const host = typeof given === 'string' ? hostName(given) : undefined;
  if (host === undefined || host.startsWith('['))
    return refuse(`${JSON.stringify(given)} is no host name such as news.example.com.`);
  const { publicUrl } = core.ports.service;
  if (publicUrl !== undefined && hostName(new URL(publicUrl).host) === host)
    return refuse(`${host} is the host of the service itself. Give the pages of ${workspaceId} a host of their own.`);
  if (isRouted(core, host) || (await isUsed(core, host)))
    throw coreErrors.state_conflict({ reason: `The host ${host} is in use for something else.` });
  return host;
}
