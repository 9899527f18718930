// The page of broadcasts in the console: the newest first, by state, with their counts.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  clearFilters,
  dataTable,
  emptyNotice,
  filterForm,
  foundByIdOrName,
  html,
  nameCell,
  pager,
} from '../../../core/unstable.ts';
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

/** The broadcasts that a search of the console finds. */
export const findBroadcasts = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName(text, {
    prefix: 'brc',
    read: (broadcastId) => calls.broadcasts.read({ broadcastId }),
    list: (page) => calls.broadcasts.list(page),
    namesOf: ({ name }) => [name],
    matchOf: ({ broadcastId, name }) => ({ title: name, path: `${path}/${broadcastId}` }),
  });

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
      : emptyNotice('No broadcast has this state.', clearFilters(ctx, path));
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
