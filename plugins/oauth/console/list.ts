// The page of connected apps in the console: which apps act for whom in this workspace, what they may do, and a button to end each.
import type { ConsoleAction, ConsoleContext, ConsoleMatch, ConsoleView, z } from '../../../core/index.ts';
import {
  actionForm,
  beginsWith,
  comparedRows,
  dataTable,
  emptyNotice,
  type Html,
  html,
  moment,
  pager,
  pill,
} from '../../../core/unstable.ts';
import { memberNames } from '../../kit/member-names.ts';
import { limitWords, rightsList } from '../consent/grant-words.ts';
import type { grantResource } from '../schema.ts';
import { appsPath } from './apps-page.ts';

const pageSize = 50;

type Grant = z.output<typeof grantResource>;

const sideWords = ({ sandbox }: Grant): string => (sandbox ? 'Sandbox' : 'Live');

function appCell({ client: { name, host }, sandbox }: Grant): Html {
  const origin = host === null ? pill('Unverified', 'wait') : html`<span dir="auto">${host}</span>`;
  return html`<span class="name" dir="auto">${name}</span><span class="below">${origin} ${pill(sandbox ? 'Sandbox' : 'Live')}</span>`;
}

function endCell(ctx: ConsoleContext, grant: Grant, member: string): Html | string | null {
  const { grantId, client, sandbox } = grant;
  if (!ctx.mayCall('oauth.grant_revoke')) return null;
  if (ctx.side === 'sandbox' && !sandbox && ctx.workspace.plan.name !== 'sandbox') return 'Change to live to end it';
  return actionForm(ctx, 'end', {
    label: 'End access',
    question: html`The app “<bdi>${client.name}</bdi>” stops acting for <bdi>${member}</bdi> (${sideWords(grant)}) at its next call. To come back, it must ask a member again.`,
    verb: 'End the access',
    isDestructive: true,
    fields: { grantId },
  });
}

/** Ends the access of one app. */
export const endAction: ConsoleAction = {
  done: 'The access has ended. The app is refused from now on.',
  async run({ calls }, { fields: { grantId = '' } }) {
    await calls.oauth.grantRevoke({ grantId });
  },
};

/** The matches of the console's search among the newest apps: apps whose name or host begins with the text, and the app with this id. */
export async function findApps({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  const { data } = await calls.oauth.grants({ limit: comparedRows });
  const found = data.filter(({ grantId, client: { name, host } }) => grantId === text || beginsWith(text, name, host));
  const byName = new Map(found.map(({ client: { name, host } }) => [`${name} ${host}`, { name, host }]));
  return [...byName.values()].map(({ name, host }) => ({ title: name, detail: host ?? undefined, path: appsPath }));
}

export const appStyle = '.plain{padding-inline-start:18px;list-style:disc}';

export async function appList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.oauth.grants({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const names = await memberNames(ctx);
  const rows = data.map((grant) => {
    const { member: uid, scopes, leash, createdAt, lastUsedAt, expiresAt } = grant;
    const member = names.get(uid) ?? uid;
    return [
      appCell(grant),
      html`<span dir="auto">${member}</span>`,
      html`${rightsList(ctx.declaredScopes, scopes)}<span class="below">Limits: ${limitWords(leash)}</span>`,
      html`${lastUsedAt === null ? 'Never' : moment(lastUsedAt, ctx)}<span class="below">Connected ${moment(createdAt, ctx)}</span><span class="below">Ends unused ${moment(expiresAt, ctx)}</span>`,
      endCell(ctx, grant, member),
    ];
  });
  const columns = ['App', 'Acts for', 'May', 'Last used', 'End'];
  const table =
    rows.length === 0
      ? emptyNotice('No app is connected. When a member connects one, such as an assistant, it is listed here.')
      : dataTable('Connected apps', columns, rows);
  const own = ctx.linkOutside('/connected-apps');
  const ownLink =
    own === undefined ? null : html`<p class="quiet">You can end <a href="${own}">your own connected apps</a>.</p>`;
  return { heading: 'Connected apps', body: html`${ownLink}${table}${pager(ctx, appsPath, next)}` };
}
