// Makes sequences a surface that approval policies can hold: the content is what publishing would let run.
import {
  isPostriderError,
  type ReadContext,
  type Surface,
  type SurfaceJson,
  type TransactionContext,
} from '../../core/index.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import type { SmsService, SmsTemplateChanges } from '../sms/index.ts';
import type { TemplateChanges } from '../templates/index.ts';
import type { CheckedSequence } from './code/code-sequence.ts';
import { syncNaming } from './code/sync.ts';
import { documentOf, type SequenceContent } from './decision-view.ts';
import { namedReferences } from './definition/references.ts';
import type { Definition } from './definition/schema.ts';
import { withListNames } from './graph/named-lists.ts';
import { sequenceHeads, sequenceRows, versionRows } from './tables.ts';

export const surfaceKind = 'sequence';

/** The template version that sends use now; null if there is none. */
async function versionOf(ctx: ReadContext, key: string): Promise<number | null> {
  try {
    return (await ctx.services.templates.resolve(ctx, key, { drafts: false })).version;
  } catch (error) {
    if (isPostriderError(error)) return null;
    throw error;
  }
}

/** The texts of SMS templates, which have no versions. Null for a template that is not installed. */
async function smsTextsOf({ services, trx }: ReadContext, keys: readonly string[]) {
  const sms: SmsService | undefined = services.sms;
  const texts = await sms?.texts(trx);
  return Object.fromEntries(
    keys.map((key) => {
      const { body, variables } = texts?.get(key) ?? {};
      return [key, body === undefined ? null : ({ body, variables } as SurfaceJson)];
    }),
  );
}

async function contentOf(ctx: ReadContext, definition: Definition): Promise<SequenceContent> {
  const { trigger, nodes, edges, settings } = definition;
  const templates: Record<string, number | null> = {};
  const { emailTemplates, smsTemplates } = namedReferences(definition);
  for (const key of emailTemplates) templates[key] = await versionOf(ctx, key);
  const content = { trigger, nodes, edges, settings, templates };
  if (smsTemplates.length === 0) return content;
  return { ...content, smsTemplates: await smsTextsOf(ctx, smsTemplates) };
}

/** The surface with which approval policies hold sequences. */
export const sequenceSurface: Surface = {
  kind: surfaceKind,
  targetKind: 'sequence',
  async read(context, targetId) {
    const { trx } = context;
    const row = await sequenceRows.find(trx, targetId);
    if (row === undefined || row.status === 'archived' || row.source === 'code') return undefined;
    const published = row.version_id === null ? undefined : await versionRows.find(trx, row.version_id);
    return {
      name: row.key,
      content: await contentOf(context, row.definition),
      before: published === undefined ? null : await contentOf(context, published.definition),
    };
  },
  idOf: async ({ trx }, key) => (await sequenceHeads.findBy(trx, { key }))?.id,
  view: (viewer, { targetId }) =>
    viewer.read(async (ctx) => {
      const row = await sequenceRows.find(ctx.trx, targetId);
      if (row === undefined) return { before: null, after: null };
      const published = row.version_id === null ? undefined : await versionRows.find(ctx.trx, row.version_id);
      const shown = async (definition: Definition) => ({
        subject: null,
        html: documentOf(row, await withListNames(ctx, await contentOf(ctx, definition))),
      });
      return {
        before: published === undefined ? null : await shown(published.definition),
        after: await shown(row.definition),
      };
    }),
};

type Names = (named: ReturnType<typeof namedReferences>) => boolean;

/** Reports to approvals that the content of waiting sequences with these templates changed. Then syncs the code sequences. */
async function templatesChanged(
  ctx: TransactionContext,
  code: readonly CheckedSequence[],
  names: Names,
): Promise<void> {
  const { services } = ctx;
  const approvals: ApprovalsService | undefined = services.approvals;
  const waiting = [...((await approvals?.pendingOf(ctx.trx, surfaceKind))?.keys() ?? [])];
  const rows = await sequenceRows.findIn(ctx.trx, 'id', waiting);
  const naming = rows.filter(({ definition }) => names(namedReferences(definition)));
  await ctx.contentChanged(
    surfaceKind,
    naming.map(({ id }) => id),
  );
  await syncNaming(ctx, code, names);
}

/**
 * The entry of `templates.changes`. A new version of a template changes the content of approval requests for sequences that name it.
 * It may also make sequences of the code fit.
 */
export const createTemplateChanges = (code: readonly CheckedSequence[]) => (): TemplateChanges => ({
  templateChanged: (ctx, key) => templatesChanged(ctx, code, (named) => named.emailTemplates.includes(key)),
});

/** The entry of `sms.template_changes`: does the same for changed SMS texts. */
export const createSmsTemplateChanges = (code: readonly CheckedSequence[]) => (): SmsTemplateChanges => ({
  smsTemplatesChanged: (ctx, keys) =>
    templatesChanged(ctx, code, (named) => named.smsTemplates.some((key) => keys.includes(key))),
});
