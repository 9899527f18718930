// The composer of broadcasts in the console: a form on the list creates a draft from a template and an audience, and a form on the draft
// schedules it. The operation checks the whole draft and reports every fault before anything is scheduled.
import type { ConsoleAction, ConsoleContext } from '../../../core/index.ts';
import { type ActionInput, actionForm, type Html, html } from '../../../core/unstable.ts';
import type { BroadcastResource } from '../broadcasts.ts';
import type { AudiencePart } from '../schema.ts';

/** The maximum number of templates, lists and segments that the form offers. */
const maxChoices = 100;

const listWord = 'list';

/** The part of an audience that an option of the form selects: `list:lst_…` or `segment:sgm_…`. */
function partOf(choice: string): AudiencePart {
  const [kind, id = ''] = choice.split(':', 2);
  return kind === listWord ? { listId: id } : { segmentId: id };
}

export const composeActions: Readonly<Record<string, ConsoleAction>> = {
  create: {
    done: 'The draft was saved. Open it to look at it and to schedule it.',
    async run(ctx, { idempotencyKey, fields: { name = '', template = '', audience = '' } }) {
      const draft = { name, templateKey: template, audience: { include: [partOf(audience)] } };
      await ctx.calls.broadcasts.create(draft, { idempotencyKey });
    },
  },
};

export const scheduleActions: Readonly<Record<string, ConsoleAction>> = {
  schedule: {
    done: 'The broadcast is scheduled, or waits for a decision.',
    async run(ctx, { idempotencyKey, fields: { sendAt = '' } }) {
      const time = sendAt.trim() === '' ? null : sendAt.trim();
      const broadcastId = ctx.params['broadcastId'] ?? '';
      await ctx.calls.broadcasts.schedule({ broadcastId, sendAt: time }, { idempotencyKey });
    },
  },
};

type Choices = NonNullable<ActionInput['options']>;

async function templateChoices(ctx: ConsoleContext): Promise<Choices> {
  if (!ctx.mayCall('templates.list')) return [];
  const { data } = await ctx.calls.templates.list({ status: 'published', category: 'marketing', limit: maxChoices });
  return data.map(({ key, name }) => [key, name]);
}

async function audienceChoices(ctx: ConsoleContext): Promise<Choices> {
  const lists = ctx.mayCall('lists.list') ? (await ctx.calls.lists.list({ limit: maxChoices })).data : [];
  const segments = ctx.mayCall('segments.list') ? (await ctx.calls.segments.list({ limit: maxChoices })).data : [];
  return [
    ...lists.map(({ listId, name }) => [`${listWord}:${listId}`, `List: ${name}`] as const),
    ...segments.map(({ segmentId, name }) => [`segment:${segmentId}`, `Segment: ${name}`] as const),
  ];
}

/** The form that creates a draft; a sentence if there is no template or no audience for it; null if the person may not create one. */
export async function composeForm(ctx: ConsoleContext): Promise<Html | null> {
  if (!ctx.mayCall('broadcasts.create')) return null;
  const [templates, audiences] = [await templateChoices(ctx), await audienceChoices(ctx)];
  if (templates.length === 0 || audiences.length === 0)
    return html`<p class="quiet">A new broadcast needs a published marketing template, and a list or a segment.</p>`;
  return actionForm(ctx, 'create', {
    label: 'New broadcast',
    question: 'The draft is saved. Nothing is sent before you schedule it.',
    verb: 'Save the draft',
    inputs: [
      { name: 'name', label: 'Name, for your team', isRequired: true, maxLength: 200 },
      { name: 'template', label: 'Template', options: templates, isRequired: true },
      { name: 'audience', label: 'Audience', options: audiences, isRequired: true },
    ],
  });
}

/** One part of the audience in words, with its number of contacts. */
async function partWords(ctx: ConsoleContext, part: AudiencePart): Promise<string> {
  if ('listId' in part) {
    if (!ctx.mayCall('lists.read')) return 'a list';
    const { name, contactCount } = await ctx.calls.lists.read(part);
    return `the list “${name}” (${contactCount} members)`;
  }
  if (!ctx.mayCall('segments.read')) return 'a segment';
  const { name, contactCount } = await ctx.calls.segments.read(part);
  return `the segment “${name}” (${contactCount === null ? 'not counted yet' : `${contactCount} contacts`})`;
}

/** The form that schedules a draft; null if the broadcast is not a draft, or if the person may not schedule it. */
export async function scheduleForm(ctx: ConsoleContext, broadcast: BroadcastResource): Promise<Html | null> {
  const { name, status, audience, sendAt, timezone, approval } = broadcast;
  if (status !== 'draft' || approval !== null || !ctx.mayCall('broadcasts.schedule')) return null;
  const parts = await Promise.all((audience?.include ?? []).map((part) => partWords(ctx, part)));
  const excludedParts = await Promise.all((audience?.exclude ?? []).map((part) => partWords(ctx, part)));
  const zone = timezone === 'recipient' ? "each recipient's zone" : timezone;
  return actionForm(ctx, 'schedule', {
    label: 'Schedule',
    question: html`“${name}” goes to ${parts.length === 0 ? 'nobody yet' : parts.join(' and ')}${excludedParts.length === 0 ? '' : `, without ${excludedParts.join(' and ')}`}. Contacts who may not get marketing mail are left out.`,
    verb: 'Schedule the broadcast',
    inputs: [
      {
        name: 'sendAt',
        label: `Time in ${zone}, such as 2026-12-01T09:00 (empty: at once)`,
        value: sendAt ?? '',
        maxLength: 40,
      },
    ],
  });
}
