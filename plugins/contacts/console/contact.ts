// The page of one contact in the console: whether mail reaches the contact and why not, the timeline, and the data.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  detailLayout,
  emptyNotice,
  facts,
  filterForm,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
  timelineOf,
} from '../../../core/unstable.ts';
import type { Contact } from '../schema.ts';
import { nameOf } from './list.ts';
import { personDataPanel } from './person-data.ts';
import { stepOf } from './person-timeline.ts';
import { reachSentence } from './reach-sentence.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function attributesPanel({ attributes }: Contact): Html {
  const pairs = Object.entries(attributes).map(([name, value]) => [name, textOf(value)] as const);
  return panel('Attributes', pairs.length === 0 ? html`<p class="quiet">None.</p>` : facts(pairs));
}

async function preferencesPanel(ctx: ConsoleContext, contactId: string): Promise<Html | null> {
  if (!ctx.mayCall('preferences.read')) return null;
  const { preferences } = await ctx.calls.preferences.read({ contactId });
  if (preferences.length === 0) return null;
  return panel(
    'Preferences',
    facts(
      preferences.map(({ topic, subscribed, source, at }) => [
        topic,
        html`${subscribed ? 'Subscribed' : 'Unsubscribed'} <span class="quiet">${source === null || at === null ? 'by default' : html`by ${source.replace('_', ' ')}, ${moment(at, ctx)}`}</span>`,
      ]),
    ),
  );
}

/** A form that asks whether the contact can get the mail of another template. */
const askForm = (ctx: ConsoleContext, contactId: string): Html | null =>
  ctx.mayCall('contacts.deliverability')
    ? panel(
        'Ask for a template',
        filterForm(ctx, `contacts/${contactId}`, [{ name: 'template', label: 'Key of the template' }]),
      )
    : null;

export async function contactPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const contact = await ctx.calls.contacts.read({ contactId: ctx.params['contactId'] ?? '' });
  const { id, email, external_id: externalId, created_at: created, updated_at: updated, timeline } = contact;
  const name = nameOf(contact);
  const sends =
    email !== null && ctx.mayCall('sends.list')
      ? html`<p><a href="${ctx.link('sends', { to: email })}">All sends to this address</a></p>`
      : null;
  const timelinePart =
    timeline.length === 0
      ? emptyNotice('Nothing has happened yet: no mail was sent to this address, and no event was reported.')
      : panel(
          'Timeline',
          html`${timelineOf(
            ctx,
            timeline.map((item) => stepOf(ctx, item)),
          )}${sends}`,
        );
  const contactFacts = facts([
    ['Address', email],
    ['External id', externalId],
    ['Id', idOfRow(id)],
    ['Created', moment(created, ctx)],
    ['Changed', moment(updated, ctx)],
  ]);
  const aside = [
    panel('Contact', contactFacts),
    attributesPanel(contact),
    await preferencesPanel(ctx, id),
    askForm(ctx, id),
    personDataPanel(ctx, contact),
  ];
  return { heading: name, body: detailLayout([await reachSentence(ctx, contact, name), timelinePart], aside) };
}
