// The page of one lead magnet in the console: its chapters, its file, and its actions.
import type { ConsoleAction, ConsoleContext, ConsoleView, z } from '../../../core/index.ts';
import {
  actionForm,
  conclusion,
  deleteAction,
  detailLayout,
  emptyNotice,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
} from '../../../core/unstable.ts';
import { missingWordsForm, withFilledPlaceholders } from '../../kit/missing-words.ts';
import { composePrice, exportPrice, type leadMagnetResource } from '../schema.ts';
import { formatWords, statusPill } from './words.ts';

type LeadMagnet = z.output<typeof leadMagnetResource>;

/** How often the page reloads while the text is being written, in seconds. */
const refreshSeconds = 5;

const idOf = ({ params }: ConsoleContext): string => params['leadMagnetId'] ?? '';
const isBuilding = ({ status }: LeadMagnet): boolean => status === 'queued' || status === 'building';

/** The texts of a lead magnet that may have placeholders. */
const contentOf = ({ title, chapters }: LeadMagnet) => ({ title, chapters });

/** The actions of the page. */
export const leadMagnetActions: Readonly<Record<'write' | 'compose' | 'export' | 'delete', ConsoleAction>> = {
  write: {
    done: 'The texts were stored.',
    async run(ctx, { idempotencyKey, fields }) {
      const content = withFilledPlaceholders(contentOf(await ctx.calls.leadMagnets.read({ id: idOf(ctx) })), fields);
      await ctx.calls.leadMagnets.update({ id: idOf(ctx), ...content }, { idempotencyKey });
    },
  },
  compose: {
    done: 'The chapters are being written.',
    async run(ctx, { idempotencyKey, fields: { brief = '', tone = '' } }) {
      await ctx.calls.leadMagnets.compose(
        {
          id: idOf(ctx),
          ...(brief.trim() === '' ? {} : { brief }),
          ...(tone.trim() === '' ? {} : { tone: tone.trim() }),
        },
        { idempotencyKey },
      );
    },
  },
  export: {
    done: 'The PDF is in the assets. The details on this page link to it.',
    async run(ctx, { idempotencyKey }) {
      await ctx.calls.leadMagnets.export({ id: idOf(ctx) }, { idempotencyKey });
    },
  },
  delete: deleteAction({
    remove: (ctx, idempotencyKey) => ctx.calls.leadMagnets.delete({ id: idOf(ctx) }, { idempotencyKey }),
    sentence: 'The lead magnet was deleted.',
    link: { text: 'All lead magnets', path: 'lead-magnets' },
  }),
};

function forms(ctx: ConsoleContext, one: LeadMagnet): Html | null {
  if (isBuilding(one)) return null;
  const { title, brief, status } = one;
  const compose = ctx.mayCall('lead_magnets.compose')
    ? actionForm(ctx, 'compose', {
        label: 'Write the chapters',
        question: html`The chapters of ${title} are written from the brief, for ${composePrice} credits. They replace all that are there.`,
        verb: 'Write the chapters',
        inputs: [
          {
            name: 'brief',
            label: 'Subject and readers',
            value: brief ?? '',
            isLong: true,
            isRequired: true,
            maxLength: 8_000,
          },
          { name: 'tone', label: 'Tone, such as calm and plain', maxLength: 200 },
        ],
      })
    : null;
  const exportForm =
    status === 'ready' && ctx.mayCall('lead_magnets.export')
      ? actionForm(ctx, 'export', {
          label: 'Export as PDF',
          question: html`The PDF of ${title} is stored in the assets, for ${exportPrice} credits. Without changes since the last one, it is free.`,
          verb: 'Export the PDF',
        })
      : null;
  const remove = ctx.mayCall('lead_magnets.delete')
    ? actionForm(ctx, 'delete', {
        label: 'Delete',
        question: html`${title} and its chapters are deleted.`,
        verb: 'Delete the lead magnet',
        isDestructive: true,
      })
    : null;
  return html`${compose}${exportForm}${remove}`;
}

function exportWords(ctx: ConsoleContext, { lastExport, contentHash }: LeadMagnet): Html | undefined {
  if (lastExport === null) return undefined;
  const { assetId, at } = lastExport;
  const name = ctx.mayCall('assets.read')
    ? html`<a href="${ctx.link(`assets/${assetId}`)}">${assetId}</a>`
    : idOfRow(assetId);
  return html`${name} ${moment(at, ctx)}${contentHash === lastExport.contentHash ? null : html`<span class="below">The content has changed since.</span>`}`;
}

/** One lead magnet. */
export async function leadMagnetPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const leadMagnet = await ctx.calls.leadMagnets.read({ id: idOf(ctx) });
  const { progress, error, brandId } = leadMagnet;
  const chapters = leadMagnet.chapters.map(({ heading, summary, text }) =>
    panel(
      heading,
      html`<p class="quiet" dir="auto">${summary}</p><details><summary>The text (Markdown)</summary><pre class="json" tabindex="0" dir="auto">${text}</pre></details>`,
    ),
  );
  const mayWrite = !isBuilding(leadMagnet) && ctx.mayCall('lead_magnets.update');
  const main = [
    mayWrite ? missingWordsForm(ctx, 'the lead magnet', contentOf(leadMagnet)) : null,
    error === null ? null : conclusion('bad', 'The last build failed.', error),
    isBuilding(leadMagnet) && progress !== null
      ? conclusion(
          'info',
          'The chapters are being written.',
          `${progress.phase}, ${progress.done} of ${progress.total}`,
        )
      : null,
    chapters.length === 0 ? emptyNotice('It has no chapters yet.') : chapters,
  ];
  const known = facts([
    ['Format', formatWords[leadMagnet.format]],
    ['Brief', leadMagnet.brief],
    ['Covers', leadMagnet.coverPages],
    ['PDF', exportWords(ctx, leadMagnet)],
    [
      'Brand',
      brandId === null
        ? 'The default brand'
        : ctx.mayCall('brand.read')
          ? html`<a href="${ctx.link(`brand/${brandId}`)}">${brandId}</a>`
          : idOfRow(brandId),
    ],
    ['Created', moment(leadMagnet.createdAt, ctx)],
    ['Changed', moment(leadMagnet.updatedAt, ctx)],
    ['Id', idOfRow(leadMagnet.id)],
  ]);
  return {
    heading: leadMagnet.title,
    status: statusPill(leadMagnet),
    body: detailLayout(main, [panel('Lead magnet', known), forms(ctx, leadMagnet)]),
    ...(isBuilding(leadMagnet) ? { refreshSeconds } : {}),
  };
}
