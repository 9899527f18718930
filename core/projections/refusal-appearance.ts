// The appearance of the core's own pages: the appearance of the workspace whose host or path the visitor requested. Called before
// a refusal is written as a page. It is cached for some seconds, so that a flood of refused requests does not reach the database.
import type { HttpRequest } from '../contract/http/http.ts';
import { hostName } from '../contract/values/host-name.ts';
import { workspaceAppearance } from '../pages/page-appearance.ts';
import type { PageAppearance } from '../pages/public-page.ts';
import { ownerOfHost } from '../pipeline/content-hosts.ts';
import type { Core } from '../pipeline/core.ts';
import { perService } from '../pipeline/outages.ts';
import { readContextOf } from '../pipeline/read-context.ts';
import { findWorkspace } from '../pipeline/workspaces.ts';
import { oneSide, unscoped } from '../storage/scope.ts';

const freshMs = 10_000;
const maxCached = 1_000;

interface CachedAppearance {
  readonly appearance: Promise<PageAppearance | undefined>;
  readonly until: number;
}

const cachesOf = perService(() => new Map<string, CachedAppearance>());

/** The id of a workspace in a path such as /p/ws_…/p/spring. */
const pathPattern = /^\/p\/(ws_[0-9A-Za-z]{1,40})(?:[/?]|$)/;

async function workspaceIdOf(core: Core, host: string | undefined, url: string): Promise<string | undefined> {
  const idInPath = pathPattern.exec(url)?.[1];
  if (idInPath !== undefined) return idInPath;
  if (host === undefined) return undefined;
  const database = await core.database();
  return database.read(unscoped('a host names its workspace'), async (handle) => {
    const owner = await ownerOfHost(handle, host);
    if (owner !== undefined) return owner;
    for (const users of core.ports.contributions('core.hosts').values()) {
      const id = await users.ownerOf?.(handle, host);
      if (id !== undefined) return id;
    }
    return undefined;
  });
}

async function findAppearance(core: Core, id: string | undefined): Promise<PageAppearance | undefined> {
  if (id === undefined) return undefined;
  const database = await core.database();
  const workspace = await database.read(id, (handle) => findWorkspace(handle, core.plans));
  if (workspace === undefined) return undefined;
  return database.read(oneSide(id, false), (trx) =>
    workspaceAppearance(readContextOf(core, trx, core.ports.now()), workspace),
  );
}

/**
 * The appearance for a request. Undefined if it cannot be read: the visitor must get the refusal nevertheless.
 * @param workspaceId the workspace, if the route knows it (Default: the workspace of the host or path)
 */
export async function refusalAppearance(
  core: Core,
  { host, headers, url }: Pick<HttpRequest, 'host' | 'headers' | 'url'>,
  workspaceId?: string,
): Promise<PageAppearance | undefined> {
  const requestedHost = hostName(host ?? headers.host);
  const cache = cachesOf(core);
  const key = workspaceId ?? `${requestedHost ?? ''}\n${pathPattern.exec(url)?.[1] ?? ''}`;
  const now = core.ports.now();
  const cached = cache.get(key);
  if (cached !== undefined && cached.until > now) return cached.appearance;
  const find = async () => findAppearance(core, workspaceId ?? (await workspaceIdOf(core, requestedHost, url)));
  const appearance = find().catch(() => undefined);
  cache.delete(key);
  cache.set(key, { appearance, until: now + freshMs });
  const oldest = cache.keys().next();
  if (cache.size > maxCached && oldest.done !== true) cache.delete(oldest.value);
  return appearance;
}
