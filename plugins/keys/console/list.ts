// The page of API keys in the console: which keys exist, what they may do, and when they were last used. Never their secrets.
import type { ConsoleContext, ConsoleView, z } from '../../../core/index.ts';
import { dataTable, emptyNotice, type Html, html, moment, pager, pill } from '../../../core/unstable.ts';
import type { keyResource } from '../schema.ts';

const path = 'keys';
const pageSize = 50;

type Key = z.output<typeof keyResource>;

const presetWords: Readonly<Record<NonNullable<Key['preset']>, string>> = {
  read: 'Read',
  send: 'Send',
  author: 'Author',
  full: 'Full',
};

function statePill({ revoked_at: revoked, expires_at: expires }: Key, now: number): Html {
  if (revoked !== null) return pill('Revoked', 'bad');
  if (expires !== null && Date.parse(expires) <= now) return pill('Expired', 'plain');
  return pill('Active', 'good');
}

/** The kind of client that uses the key: a program, an agent, or an agent that signed in. */
function kindWords({ mode, client }: Key): string {
  if (client !== null) return `Agent that signed in: ${client.name}`;
  return mode === 'mcp' ? 'Agent' : mode === 'test' ? 'Sandbox' : 'Live';
}

function scopesCell({ preset, scopes }: Key): Html {
  const count = `${scopes.length} ${scopes.length === 1 ? 'scope' : 'scopes'}`;
  const summary = preset === null ? count : `${presetWords[preset]}, ${count}`;
  return html`<details><summary>${summary}</summary><code>${scopes.join(' ')}</code></details>`;
}

export async function keyList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.keys.list({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = data.map((key) => [
    html`<span class="name" dir="auto">${key.name}</span><span class="below"><code>${key.prefix}…</code></span>`,
    statePill(key, ctx.now),
    kindWords(key),
    scopesCell(key),
    key.last_used_at === null ? 'Never' : moment(key.last_used_at, ctx),
    html`${moment(key.created_at, ctx)}${key.created_by === null ? null : html`<span class="below">by ${key.created_by}</span>`}`,
  ]);
  const columns = ['Key', 'State', 'For', 'May', 'Last used', 'Created'];
  const table =
    rows.length === 0
      ? emptyNotice('There is no API key. Your program creates them: service.keys.create, or postrider keys create.')
      : dataTable('API keys', columns, rows);
  return { heading: 'API keys', body: html`${table}${pager(ctx, path, next)}` };
}
