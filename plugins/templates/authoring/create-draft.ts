// Creates a new draft. Called by the operations that create and compose templates, inside their transaction.
import {
  coreErrors,
  isStorageError,
  type OperationContext,
  type TransactionContext,
  type z,
} from '../../../core/index.ts';
import type { templateContent } from '../schema.ts';
import { findTemplateHead, insertTemplate } from '../store.ts';
import type { TemplateRow } from '../tables.ts';
import { requireTheme } from '../theme/theme.ts';
import { checkColumns } from './authored-columns.ts';
import { checkAuthoredContract, checkSourceCost } from './authoring.ts';
import { contentsOf } from './contents.ts';
import { requireTopic } from './topic.ts';

type NewTemplate = z.output<z.ZodObject<typeof templateContent>> & { readonly key?: string | undefined };

/** The context in which a draft is stored: the context of an operation, or an equivalent context of a job. */
export type DraftContext = TransactionContext & Pick<OperationContext, 'refuse'>;

/** The error for a key that another template already has. */
export const keyTaken = (key: string, cause?: unknown) =>
  coreErrors.key_taken(
    { key, optional: true, change: `PATCH /v1/templates/${key}` },
    cause === undefined ? undefined : { cause },
  );

/** @throws key_taken, theme_not_found, layout_not_found, template_invalid, validation_failed */
export async function createDraft(ctx: DraftContext, body: NewTemplate): Promise<TemplateRow> {
  const id = ctx.newId('tpl');
  const key = body.key ?? `untitled_${id.slice(-8).toLowerCase()}`;
  await requireTheme(ctx, body.themeId);
  checkAuthoredContract(body.variables);
  if ((await findTemplateHead(ctx.trx, key)) !== undefined) throw keyTaken(key);
  const marketing = body.category === 'marketing';
  const authored = {
    kind: body.kind === 'layout' ? ('layout' as const) : null,
    layout: body.layout,
    locale: body.locale,
    locales: null,
    subject: body.subject,
    preview_text: body.previewText ?? '',
  };
  const row: TemplateRow = {
    ...authored,
    locales: await checkColumns(ctx, authored, body.locales),
    id,
    key,
    name: body.name ?? (body.kind === 'layout' ? 'Untitled layout' : 'Untitled email'),
    category: body.category,
    theme_id: body.themeId ?? null,
    status: 'draft',
    delivery: body.delivery,
    track_opens: (body.tracking?.opens ?? marketing) ? 1 : 0,
    track_clicks: (body.tracking?.clicks ?? marketing) ? 1 : 0,
    expires_in: body.expiresIn,
    topic_key: body.topicKey,
    version: 0,
    contract_version: 0,
    mode: body.mode,
    body: body.body,
    text_part: body.text,
    variables: body.variables === null ? null : JSON.stringify(body.variables),
    revision: 1,
    published_revision: 0,
    created_at: ctx.now,
    updated_at: ctx.now,
    published_at: null,
  };
  await requireTopic(ctx, row);
  checkSourceCost(row, contentsOf(row));
  try {
    await insertTemplate(ctx.trx, row);
  } catch (error) {
    // Another call took the key between the check and the insert.
    throw isStorageError(error, 'unique') ? keyTaken(key, error) : error;
  }
  return row;
}
