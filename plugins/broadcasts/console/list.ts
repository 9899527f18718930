// The page of broadcasts in the console: the newest first, by state, with their counts.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  beginsWith,
  comparedRows,
  dataTable,
  emptyNotice,
  filterForm,
  foundById,
  html,
  nameCell,
  pager,
} from '../../../core/unstable.ts';
import type { BroadcastResource } from '../broadcasts.ts';
import { broadcastStatus } from '../schema.ts';
import { composeForm } from './compose.ts';
import { readReputation, reputationNotice } from './reputation-notice.ts';
import { firstMail, stateChoices, statePill } from './words.ts';

const path = 'broadcasts';
const pageSize = 50;

const columns = [
  'Broadcast',
  'State',
  'First mail',
  ...['Recipients', 'Delivered', 'Opened', 'Clicked'].map((head) => ({ head, isNumber: true })),
];

const matchOf = ({ broadcastId, name }: BroadcastResource): ConsoleMatch => ({
  title: name,
  path: `${path}/${broadcastId}`,
});

/** The broadcast with this id, or those among the newest whose names begin with the text. */
export async function findBroadcasts({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  const byId = await foundById(text, 'brc', async (broadcastId) =>
    matchOf(await calls.broadcasts.read({ broadcastId })),
  );
  if (byId.length > 0) return byId;
  const { data } = await calls.broadcasts.list({ limit: comparedRows });
  return data.filter(({ name }) => beginsWith(text, name)).map(matchOf);
}

/** The list. */
export async function broadcastList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const status = broadcastStatus.options.find((one) => one === ctx.query['status']);
  const { data, next_cursor: next } = await ctx.calls.broadcasts.list({
    limit: pageSize,
    ...(status === undefined ? {} : { status }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [{ name: 'status', label: 'State', options: stateChoices }]);
  const empty =
    status === undefined
      ? emptyNotice('A broadcast is one mail to the members of lists and the contacts of segments.')
      : emptyNotice('No broadcast has this state.', { text: 'Clear filters', href: ctx.link(path) });
  const rows = data.map((one) => [
    nameCell(
      ctx.link(`${path}/${one.broadcastId}`),
      one.name,
      one.approval === null ? undefined : 'Waits for a decision',
    ),
    statePill(one.status),
    firstMail(ctx, one),
    one.counts.recipients,
    one.counts.delivered,
    one.counts.opened,
    one.counts.clicked,
  ]);
  const table = data.length === 0 ? empty : dataTable('Broadcasts', columns, rows);
  const notice = reputationNotice(ctx, await readReputation(ctx));
  return {
    heading: 'Broadcasts',
    body: html`${notice}${await composeForm(ctx)}${filter}${table}${pager(ctx, path, next)}`,
  };
}
