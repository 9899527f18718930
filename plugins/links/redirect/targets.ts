// `ctx.services.linkTargets`: the links that this process was asked for in the last second, by domain and slug. Bounded; a
// change in this process forgets its link at once, changes of other processes are seen when an entry is a second old.
import type { Handle, ServiceContext } from '../../../core/index.ts';
import { linkBySlug, ownerOfDomain } from '../store.ts';
import { type LinkRow, linkRows } from '../tables.ts';
import { type LinkTarget, targetOf } from './target.ts';

/** How old an answer may be, in milliseconds: so long a change takes until every process acts on it. */
export const freshMs = 1_000;
/** Entries of links, and, apart from them, of slugs without a link: requests for missing slugs cannot push links out. */
const maxLinks = 50_000;
const maxMisses = 10_000;

/** Reads over all workspaces. */
export type ReadUnscoped = <T>(reason: string, work: (handle: Handle) => Promise<T>) => Promise<T>;

/** A look-up in flight. */
interface Looking {
  readonly result: Promise<LinkTarget | null>;
}

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** Where slugs are told apart: the default domain, with both empty, or a short domain and the workspace that has it. */
export type SlugSpace = Pick<LinkRow, 'domain' | 'slug_owner'>;

/** The slugs of the default domain. */
export const defaultSpace: SlugSpace = { domain: '', slug_owner: '' };

/** The cache of one process. */
export interface LinkTargets {
  /** What is known of it now; undefined where it must be looked up. */
  known(space: SlugSpace, slug: string): LinkTarget | null | undefined;
  /** The link, or null where there is none. Concurrent calls share a look-up. */
  find(read: ReadUnscoped, space: SlugSpace, slug: string): Promise<LinkTarget | null>;
  /** The workspace that has this short domain; null where none has it. */
  ownerOf(read: ReadUnscoped, domain: string): Promise<string | null>;
  /** Whether a host belongs to a workspace, as `look` found in the last second. */
  isTaken(host: string, look: () => Promise<boolean>): Promise<boolean>;
  forget(row: SlugSpace & Pick<LinkRow, 'slug'>): void;
  forgetDomain(domain: string): void;
}

/** Keeps the newest entries of a map. */
function put<T>(map: Map<string, Entry<T>>, max: number, key: string, entry: Entry<T>): void {
  map.delete(key);
  map.set(key, entry);
  if (map.size <= max) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}

/** Owners come first: neither they nor domains hold the separator. */
const keyOf = ({ domain, slug_owner }: SlugSpace, slug: string): string => `${slug_owner}\n${domain}\n${slug}`;

/** Makes the cache. */
export function createLinkTargets({ ports }: ServiceContext): LinkTargets {
  const found = new Map<string, Entry<LinkTarget>>();
  const missing = new Map<string, Entry<null>>();
  const domains = new Map<string, Entry<string | null>>();
  const taken = new Map<string, Entry<boolean>>();
  const running = new Map<string, Looking>();
  const fresh = <T>(entry: Entry<T> | undefined): T | undefined =>
    entry !== undefined && entry.until > ports.now() ? entry.value : undefined;

  async function look(read: ReadUnscoped, space: SlugSpace, slug: string, isCurrent: () => boolean) {
    const key = keyOf(space, slug);
    const until = ports.now() + freshMs;
    const row = await read('a visitor names a domain and a slug, and nothing else', (handle) =>
      handle.one(linkBySlug, { domain: space.domain, slug, slug_owner: space.slug_owner }),
    );
    const target = row === undefined ? null : targetOf(String(row.workspace_id), linkRows.decode(row));
    // Where the link was forgotten meanwhile, the row may be older than the change: it is not kept.
    if (!isCurrent()) return target;
    if (target === null) put(missing, maxMisses, key, { value: null, until });
    else put(found, maxLinks, key, { value: target, until });
    return target;
  }

  return {
    known(space, slug) {
      const key = keyOf(space, slug);
      return fresh(found.get(key)) ?? fresh(missing.get(key));
    },
    find(read, space, slug) {
      const key = keyOf(space, slug);
      const now = running.get(key);
      if (now !== undefined) return now.result;
      const isCurrent = () => running.get(key) === looking;
      const looking: Looking = {
        result: look(read, space, slug, () => isCurrent()).finally(() => {
          if (isCurrent()) running.delete(key);
        }),
      };
      running.set(key, looking);
      return looking.result;
    },
    async ownerOf(read, domain) {
      const known = fresh(domains.get(domain));
      if (known !== undefined) return known;
      const until = ports.now() + freshMs;
      const row = await read('a short domain may belong to any workspace', (handle) =>
        handle.one(ownerOfDomain, { domain }),
      );
      const owner = row === undefined ? null : String(row.workspace_id);
      put(domains, maxMisses, domain, { value: owner, until });
      return owner;
    },
    async isTaken(host, look) {
      const known = fresh(taken.get(host));
      if (known !== undefined) return known;
      const until = ports.now() + freshMs;
      const value = await look();
      put(taken, maxMisses, host, { value, until });
      return value;
    },
    forget(row) {
      const key = keyOf(row, row.slug);
      found.delete(key);
      missing.delete(key);
      running.delete(key);
    },
    forgetDomain(domain) {
      domains.delete(domain);
      taken.delete(domain);
    },
  };
}
