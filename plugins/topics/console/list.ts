// The page of topics in the console: what marketing mail can be about, in the order in which recipients see it.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import { dataTable, emptyNotice, html, moment, pager } from '../../../core/unstable.ts';

const path = 'topics';
const pageSize = 100;

/** The list. */
export async function topicList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.topics.list({
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = data.map((topic) => [
    html`<span class="name" dir="auto">${topic.name}</span>${topic.description === '' ? null : html`<span class="below" dir="auto">${topic.description}</span>`}`,
    html`<code>${topic.key}</code>`,
    topic.default === 'subscribed' ? 'Subscribed' : 'Unsubscribed',
    topic.visibility === 'public' ? 'Always' : 'After a mail about it',
    moment(topic.updatedAt, ctx),
  ]);
  const columns = ['Topic', 'Key', 'Without a choice', 'Recipients see it', 'Changed'];
  const table =
    rows.length === 0
      ? emptyNotice(
          'A topic is what marketing mail can be about. Recipients choose among topics. Create them through the API.',
        )
      : dataTable('Topics', columns, rows);
  return { heading: 'Topics', body: html`${table}${pager(ctx, path, next)}` };
}
