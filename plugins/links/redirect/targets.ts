// `ctx.services.linkTargets`: a bounded cache of the links that this process looked up within the last second, by domain and
// slug. A change in this process evicts its link at once. Changes in other processes take effect when an entry is a second old.
import type { Handle, ServiceContext } from '../../../core/index.ts';
import { linkBySlug, ownerOfDomain } from '../store.ts';
import { type LinkRow, linkRows } from '../tables.ts';
import { type RedirectLink, redirectLinkOf } from './redirect-link.ts';

/** The maximum age of an entry, in milliseconds. A change takes up to this long to reach every process. */
export const freshMs = 1_000;
/** Slugs without a link have their own limit, so that requests for missing slugs cannot evict links. */
const maxLinks = 50_000;
const maxMisses = 10_000;

/** Reads across all workspaces. */
export type ReadUnscoped = <T>(reason: string, work: (handle: Handle) => Promise<T>) => Promise<T>;

/** A look-up in flight. */
interface PendingLookup {
  readonly result: Promise<RedirectLink | null>;
}

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** A namespace of slugs: the default domain, with both fields empty, or a short domain and the workspace that owns it. */
export type SlugSpace = Pick<LinkRow, 'domain' | 'slug_owner'>;

/** The namespace of the default domain. */
export const defaultSpace: SlugSpace = { domain: '', slug_owner: '' };

/** The cache of one process. */
export interface LinkTargets {
  /** The cached entry: a link, null for a missing link, or undefined if it must be looked up. */
  known(space: SlugSpace, slug: string): RedirectLink | null | undefined;
  /** The link, or null if there is none. Concurrent calls share a look-up. */
  find(read: ReadUnscoped, space: SlugSpace, slug: string): Promise<RedirectLink | null>;
  /** The workspace that owns this short domain; null if none does. */
  ownerOf(read: ReadUnscoped, domain: string): Promise<string | null>;
  /** Whether a host belongs to a workspace. A result of `findTaken` is cached for a second. */
  isTaken(host: string, findTaken: () => Promise<boolean>): Promise<boolean>;
  forget(row: SlugSpace & Pick<LinkRow, 'slug'>): void;
  forgetDomain(domain: string): void;
}

/** Adds an entry. Evicts the oldest entry if the map has more than `max`. */
function putEntry<T>(map: Map<string, Entry<T>>, max: number, key: string, entry: Entry<T>): void {
  map.delete(key);
  map.set(key, entry);
  if (map.size <= max) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}

/** The owner comes first. Neither owners nor domains contain the separator. */
const keyOf = ({ domain, slug_owner }: SlugSpace, slug: string): string => `${slug_owner}\n${domain}\n${slug}`;

export function createLinkTargets({ ports }: ServiceContext): LinkTargets {
  const foundLinks = new Map<string, Entry<RedirectLink>>();
  const missingLinks = new Map<string, Entry<null>>();
  const domains = new Map<string, Entry<string | null>>();
  const takenHosts = new Map<string, Entry<boolean>>();
  const pendingLookups = new Map<string, PendingLookup>();
  const freshValue = <T>(entry: Entry<T> | undefined): T | undefined =>
    entry !== undefined && entry.until > ports.now() ? entry.value : undefined;

  async function lookUp(read: ReadUnscoped, space: SlugSpace, slug: string, isCurrent: () => boolean) {
    const key = keyOf(space, slug);
    const freshUntil = ports.now() + freshMs;
    const row = await read('a visitor names a domain and a slug, and nothing else', (handle) =>
      handle.one(linkBySlug, { domain: space.domain, slug, slug_owner: space.slug_owner }),
    );
    const target = row === undefined ? null : redirectLinkOf(String(row.workspace_id), linkRows.decode(row));
    // If the link was evicted during the look-up, the row may be older than the change and is not cached.
    if (!isCurrent()) return target;
    if (target === null) putEntry(missingLinks, maxMisses, key, { value: null, until: freshUntil });
    else putEntry(foundLinks, maxLinks, key, { value: target, until: freshUntil });
    return target;
  }

  return {
    known(space, slug) {
      const key = keyOf(space, slug);
      return freshValue(foundLinks.get(key)) ?? freshValue(missingLinks.get(key));
    },
    find(read, space, slug) {
      const key = keyOf(space, slug);
      const now = pendingLookups.get(key);
      if (now !== undefined) return now.result;
      const isCurrent = () => pendingLookups.get(key) === pending;
      const pending: PendingLookup = {
        result: lookUp(read, space, slug, () => isCurrent()).finally(() => {
          if (isCurrent()) pendingLookups.delete(key);
        }),
      };
      pendingLookups.set(key, pending);
      return pending.result;
    },
    async ownerOf(read, domain) {
      const cached = freshValue(domains.get(domain));
      if (cached !== undefined) return cached;
      const freshUntil = ports.now() + freshMs;
      const row = await read('a short domain may belong to any workspace', (handle) =>
        handle.one(ownerOfDomain, { domain }),
      );
      const owner = row === undefined ? null : String(row.workspace_id);
      putEntry(domains, maxMisses, domain, { value: owner, until: freshUntil });
      return owner;
    },
    async isTaken(host, look) {
      const cached = freshValue(takenHosts.get(host));
      if (cached !== undefined) return cached;
      const freshUntil = ports.now() + freshMs;
      const value = await look();
      putEntry(takenHosts, maxMisses, host, { value, until: freshUntil });
      return value;
    },
    forget(row) {
      const key = keyOf(row, row.slug);
      foundLinks.delete(key);
      missingLinks.delete(key);
      pendingLookups.delete(key);
    },
    forgetDomain(domain) {
      domains.delete(domain);
      takenHosts.delete(domain);
    },
  };
}
