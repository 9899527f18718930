// The publishers of the versions of a content item, for its page in the console. Versions do not store their publisher, so the audit is read.
import type { ConsoleContext } from '../../core/index.ts';
import { type Html, html, idOfRow } from '../../core/unstable.ts';
import { memberNames } from './member-names.ts';

/** The maximum number of audit entries of an action that are read. */
const maxEntries = 100;

type AuditEntry = Awaited<ReturnType<ConsoleContext['calls']['audit']['list']>>['data'][number];

function nameOf({ actor: { user, key_id: keyId, kind } }: AuditEntry, names: ReadonlyMap<string, string>): Html {
  const name =
    user !== undefined
      ? html`<bdi>${names.get(user) ?? user}</bdi>`
      : keyId !== undefined
        ? html`the key ${idOfRow(keyId)}`
        : kind === 'system'
          ? 'the service'
          : 'the application';
  return html`<span class="below">by ${name}</span>`;
}

/**
 * The publishers of versions of the content, by version, as a second line below the time. A version whose audit entry is not found is
 * left out: the audit keeps entries for 90 days, and only the newest 100 entries of each of the `actions` since `oldest` (ISO 8601) are
 * read. Empty if the person may not read the audit.
 */
export async function publishersOf(
  ctx: ConsoleContext,
  targetId: string,
  actions: readonly string[],
  oldest: string | undefined,
): Promise<ReadonlyMap<number, Html>> {
  if (oldest === undefined || !ctx.mayCall('audit.list')) return new Map();
  const names = await memberNames(ctx);
  const found = new Map<number, Html>();
  for (const action of actions) {
    const { data } = await ctx.calls.audit.list({ action, since: oldest, limit: maxEntries });
    // Entries come newest first. If a version was published several times, the publisher of the oldest entry is kept.
    for (const entry of data) {
      const { version } = entry.metadata;
      if (entry.target.id === targetId && typeof version === 'number') found.set(version, nameOf(entry, names));
    }
  }
  return found;
}
