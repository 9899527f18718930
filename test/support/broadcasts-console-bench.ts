// A service whose workspace can send broadcasts, with a sign-in to the console. For the tests of the pages of broadcasts.
import type { MemberAccess } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { writeSampleReport } from '../../plugins/broadcasts/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { initialState } from '../../plugins/reputation/store.ts';
import { historyRows, stateRows } from '../../plugins/reputation/tables.ts';
import { browserHeaders, formHeaders } from './console-bench.ts';
import { pageRequester } from './page-requester.ts';

const body =
  '<html><body><p>Hello</p><a href="https://shop.example/chairs">Chairs</a><a href="%unsubscribe_url%">Unsubscribe</a></body></html>';
/** The number of contacts in the list */
export const readers = 40;
const holdNote = 'Hard bounces in 1 hour: 30 of 100 mails.';

/** A service whose workspace can send broadcasts, with a list of 40 readers, one of whom is suppressed. Ada is signed in. */
export async function openBroadcastsBench() {
  const signIn: { scopes: MemberAccess['workspaces'][number]['scopes'] } = { scopes: 'full' };
  const ids: string[] = [];
  const bench = await createTestService({
    plugins: standardPlugins,
    startAt: Date.UTC(2026, 4, 20, 12),
    access: () => ({ member: 'u_ada', name: 'Ada', workspaces: ids.map((id) => ({ id, scopes: signIn.scopes })) }),
  });
  const { service, workspaceId } = bench;
  ids.push(workspaceId, bench.foreignWorkspaceId);
  const { brand, broadcasts, contacts, lists, suppressions, templates } = service.as(workspaceId);
  await brand.create({ name: 'Example', postal_address: 'Example Ltd\n1 Main Street' });
  await templates.create({ key: 'news', category: 'marketing', mode: 'html', subject: 'News', body });
  await templates.publish({ key: 'news' });
  const { listId } = await lists.create({ name: 'Readers' });
  const contactIds: string[] = [];
  for (let index = 0; index < readers; index += 1) {
    const email = `reader${index}@${index % 3 === 0 ? 'example.org' : 'example.com'}`;
    contactIds.push((await contacts.upsert({ email })).id);
  }
  await lists.membersAdd({ listId, contactIds });
  await suppressions.create({ email: 'reader5@example.com' });
  const draft = async (name: string, fields: object = {}) => {
    const draftFields = { name, templateKey: 'news', audience: { include: [{ listId }] }, ...fields };
    return (await broadcasts.create(draftFields)).broadcastId;
  };
  const settle = async () => {
    for (let round = 0; round < 4; round += 1) {
      await bench.drain();
      bench.advanceClock(1_000);
    }
  };
  /** Sends a broadcast, and stores opens, clicks and bounces of its mail. Returns its id. */
  const sendBroadcast = async (name: string, fields: object = {}) => {
    const broadcastId = await draft(name, fields);
    await broadcasts.schedule({ broadcastId });
    await settle();
    const workspace = await service.workspaces.read(workspaceId);
    const links = ['https://shop.example/chairs?a=1&b=<2>', 'https://shop.example/tables'];
    await inWorkspace(service.core, workspace, (ctx) => writeSampleReport(ctx, broadcastId, links));
    return broadcastId;
  };
  /** Holds marketing mail, as a report of many bounces does. */
  const hold = async () =>
    inWorkspace(service.core, await service.workspaces.read(workspaceId), async ({ trx, now, newId }) => {
      await stateRows.upsert(trx, { ...initialState, state: 'held' }, ['category'], { state: 'held' });
      const entry = { state: 'held', changed_by: 'system', note: holdNote, created_at: now } as const;
      await historyRows.insert(trx, { id: newId('rhi'), ...entry });
    });
  const ask = pageRequester(service, `/console/${workspaceId}`);
  /** Opens the page, and sends the form that has this action. */
  const act = async (path: string, action: string, fields: Readonly<Record<string, string>> = {}) => {
    const { text } = await ask(path, browserHeaders);
    const [, key] = new RegExp(`value="${action}"><input type="hidden" name="key" value="([^"]+)"`).exec(text) ?? [];
    if (key === undefined) throw new Error(`The page ${path} has no form for ${action}.`);
    const form = new URLSearchParams({ action, key, ...fields }).toString();
    const answer = await ask(path, formHeaders, 'POST', form);
    return answer.status === 303 ? ask(`${path}?done=${action}`, browserHeaders) : answer;
  };
  const calls = service.as(workspaceId);
  const page = async (path: string) => (await ask(path, browserHeaders)).text;
  return { bench, signIn, ask, page, act, draft, sent: sendBroadcast, settle, hold, calls, listId };
}
