// Lets approval policies hold sequences. The content is the definition that publishing would run, with the messages that it
// sends.
import {
  type ContentJson,
  type ContentKind,
  isPostriderError,
  type ReadContext,
  type TransactionContext,
} from '../../core/index.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import type { SmsService, SmsTemplateChanges } from '../sms/index.ts';
import type { TemplateChanges } from '../templates/index.ts';
import type { CheckedSequence } from './code/code-sequence.ts';
import { syncSequencesUsing } from './code/sync-code.ts';
import { documentOf, type SequenceContent } from './decision-document.ts';
import { namedReferences } from './definition/references.ts';
import type { Definition } from './definition/schema.ts';
import { withResourceNames } from './graph/named-ids.ts';
import { sequenceKindId } from './kind-id.ts';
import { sequenceHeads, sequenceRows, versionRows } from './tables.ts';

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
      return [key, body === undefined ? null : ({ body, variables } as ContentJson)];
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

/** The content kind with which approval policies hold sequences. */
export const sequenceContentKind: ContentKind = {
  kind: sequenceKindId,
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
      const visibleContent = async (definition: Definition) => ({
        subject: null,
        html: documentOf(row, await withResourceNames(ctx, await contentOf(ctx, definition))),
      });
      return {
        before: published === undefined ? null : await visibleContent(published.definition),
        after: await visibleContent(row.definition),
      };
    }),
};

type RefersTo = (references: ReturnType<typeof namedReferences>) => boolean;

/**
 * Reports to approvals that the content of waiting sequences with these templates has changed. Then updates the
 * code-defined sequences.
 */
async function templatesChanged(
  ctx: TransactionContext,
  code: readonly CheckedSequence[],
  refersTo: RefersTo,
): Promise<void> {
  const { services } = ctx;
  const approvals: ApprovalsService | undefined = services.approvals;
  const waitingIds = [...((await approvals?.pendingOf(ctx.trx, sequenceKindId))?.keys() ?? [])];
  const rows = await sequenceRows.findIn(ctx.trx, 'id', waitingIds);
  const affected = rows.filter(({ definition }) => refersTo(namedReferences(definition)));
  await ctx.contentChanged(
    sequenceKindId,
    affected.map(({ id }) => id),
  );
  await syncSequencesUsing(ctx, code, refersTo);
}

/**
 * The entry of `templates.changes`. A new version of a template changes the content of approval requests for the
 * sequences that use it. Code-defined sequences that waited for the template can now be published.
 */
export const createTemplateChanges = (code: readonly CheckedSequence[]) => (): TemplateChanges => ({
  templateChanged: (ctx, key) => templatesChanged(ctx, code, (references) => references.emailTemplates.includes(key)),
});

/** The entry of `sms.template_changes`: does the same for changed SMS texts. */
export const createSmsTemplateChanges = (code: readonly CheckedSequence[]) => (): SmsTemplateChanges => ({
  smsTemplatesChanged: (ctx, keys) =>
    templatesChanged(ctx, code, (references) => references.smsTemplates.some((key) => keys.includes(key))),
});
