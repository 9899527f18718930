// Checks the content host that the program gives a workspace: it must be a host name that no route and no plugin uses for
// something else. Called by provisioning.ts.
import { coreErrors } from '../contract/errors/core-errors.ts';
import { hostName } from '../contract/values/host-name.ts';
import type { Core } from '../pipeline/core.ts';
import { unscoped } from '../storage/scope.ts';

const refuse = (summary: string): never => {
  throw coreErrors.validation_failed({ summary: `contentHost: ${summary}` });
};

/** Whether a public route is served only on this host. `isUsed` finds the hosts that plugins manage. */
const isRouted = ({ registry, ports }: Core, host: string): boolean =>
  registry.plugins.some(({ publicRoutes, contributes }) =>
    publicRoutes.some(({ hosts }) =>
      typeof hosts === 'function'
        ? !Object.hasOwn(contributes, 'core.hosts') && hosts(host, ports.service)
        : hosts?.some((name) => hostName(name) === host),
    ),
  );

async function isUsed(core: Core, host: string): Promise<boolean> {
  const hostUsers = core.ports.contributions('core.hosts');
  if (hostUsers.size === 0) return false;
  const database = await core.database();
  return database.read(unscoped('a host must be unique over all workspaces'), async (handle) => {
    for (const hostUser of hostUsers.values()) if (await hostUser.uses(handle, host)) return true;
    return false;
  });
}

/** A path of a site below which the site passes requests on to the service: `/news`. */
const pathPattern = /^(?:\/[A-Za-z0-9._~-]{1,60}){1,4}$/;

/**
 * The normalised host, and its path if it has one; null and undefined are returned unchanged. @throws
 * validation_failed, state_conflict
 */
export async function checkedContentHost(
  core: Core,
  workspaceId: string,
  input: string | null | undefined,
): Promise<string | null | undefined> {
  if (input === undefined || input === null) return input;
  const slash = input.indexOf('/');
  const host = hostName(slash === -1 ? input : input.slice(0, slash));
  const path = slash === -1 ? '' : input.slice(slash).replace(/\/$/, '');
  if (host === undefined || host.startsWith('['))
    return refuse(`${JSON.stringify(input)} is not a host name, such as news.example.com.`);
  if (path !== '' && (!pathPattern.test(path) || /\/\.{1,2}(?:\/|$)/.test(path)))
    return refuse(`${JSON.stringify(path)} is not a path below which pages can be, such as /news.`);
  const { publicUrl } = core.ports.service;
  if (publicUrl !== undefined && hostName(new URL(publicUrl).host) === host)
    return refuse(`${host} is the host of the service itself. Use another host for the pages of ${workspaceId}.`);
  if (isRouted(core, host) || (await isUsed(core, host)))
    throw coreErrors.state_conflict({ reason: `The host ${host} is in use for something else.` });
  return host + path;
}
