// One segment in the console: its contacts, its filter, and the explanation why a contact is in it or not.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  conclusion,
  dataTable,
  deleteAction,
  detailLayout,
  emptyNotice,
  facts,
  filterForm,
  type Html,
  html,
  idOfRow,
  moment,
  nameCell,
  pager,
  panel,
} from '../../../core/unstable.ts';

import { knownFor, namesIn } from './builder/known.ts';
import { sentenceOf } from './sentence.ts';

const pageSize = 50;

/** Explains why the contact with this address or external id is in the segment or not. */
async function explained(
  ctx: ConsoleContext,
  segmentId: string,
  addressOrId: string | undefined,
): Promise<Html | null> {
  if (addressOrId === undefined) return null;
  const exact = addressOrId.includes('@') ? { email: addressOrId } : { external_id: addressOrId };
  const { data } = await ctx.calls.contacts.list({ limit: 1, ...exact });
  const [contact] = data;
  if (contact === undefined)
    return conclusion('plain', html`No contact has the address or the external id ${addressOrId}.`);
  const { inSegment, sentence } = await ctx.calls.segments.explain({ segmentId, contactId: contact.id });
  const name = contact.email ?? contact.external_id ?? contact.id;
  return inSegment
    ? conclusion('good', html`${name} is in this segment.`, sentence)
    : conclusion('wait', html`${name} is not in this segment.`, sentence);
}

/** Deletes the segment. */
export const deleteSegment = deleteAction({
  remove: (ctx, idempotencyKey) =>
    ctx.calls.segments.delete({ segmentId: ctx.params['segmentId'] ?? '' }, { idempotencyKey }),
  sentence: 'The segment was deleted. Its contacts stay.',
  link: { text: 'All segments', path: 'segments' },
});

function deleteForm(ctx: ConsoleContext, name: string): Html | null {
  if (!ctx.mayCall('segments.delete')) return null;
  const question = html`The segment “${name}” is deleted. Its contacts stay.`;
  return actionForm(ctx, 'delete', { label: 'Delete', question, verb: 'Delete the segment', isDestructive: true });
}

/** The page. With `?contact=`, it explains whether this contact is in the segment. */
export async function segmentPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const segmentId = ctx.params['segmentId'] ?? '';
  const { contact, cursor } = ctx.query;
  const segment = await ctx.calls.segments.read({ segmentId });
  const { data, next_cursor: next } = await ctx.calls.segments.contacts({
    segmentId,
    limit: pageSize,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const path = `segments/${segmentId}`;
  const rows = data.map(({ contactId, email, external_id: externalId, createdAt }) => [
    nameCell(ctx.link(`contacts/${contactId}`), email ?? externalId ?? contactId),
    externalId ?? '',
    moment(createdAt, ctx),
  ]);
  const table =
    rows.length === 0
      ? emptyNotice('The filter is true for nobody on this side.')
      : dataTable('Contacts, the newest first', ['Contact', 'External id', 'Created'], rows);
  const known = facts([
    ['Description', segment.description],
    ['Contacts', segment.contactCount === null ? 'Not counted yet' : segment.contactCount.toLocaleString('en-GB')],
    ['Counted', segment.countedAt === null ? null : moment(segment.countedAt, ctx)],
    ['Watched', segment.watched ? 'By a sequence or a webhook' : 'No'],
    ['Changed', moment(segment.updatedAt, ctx)],
    ['Id', idOfRow(segment.segmentId)],
  ]);
  const ask = filterForm(ctx, path, [{ name: 'contact', label: 'Address or external id' }]);
  const edit = ctx.mayCall('segments.update')
    ? html`<p><a class="button" href="${ctx.link(`${path}/edit`)}">Edit</a></p>`
    : null;
  const sentence = sentenceOf(segment.filter, namesIn(await knownFor(ctx, segmentId)));
  const source = html`<details><summary>The filter as JSON</summary><pre class="json" tabindex="0">${JSON.stringify(segment.filter, undefined, 2)}</pre></details>`;
  return {
    heading: segment.name,
    body: detailLayout(
      [
        conclusion('plain', sentence),
        panel('Why in or out', html`${ask}${await explained(ctx, segmentId, contact)}`),
        table,
        pager(ctx, path, next),
      ],
      [panel('Segment', html`${known}${source}`), edit, deleteForm(ctx, segment.name)],
    ),
  };
}
