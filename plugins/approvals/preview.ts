// Renders the change of a request with its content kind: the change to decide on, or the change that was decided on.
import type { ContentChangePreview, ContentKind, ContentPreviewContext } from '../../core/index.ts';
import { contentHash } from '../../core/unstable.ts';
import type { RequestRow } from './tables.ts';

/**
 * The rendered change. `content_changed`: the content is no longer the content on which members decided. `not_rendered`: the content
 * kind has no rendering, or rendering failed.
 */
export type ChangePreview =
  | { readonly state: 'rendered'; readonly change: ContentChangePreview }
  | { readonly state: 'content_changed' | 'not_rendered' };

/** Whether the content is still the content on which members decided. */
async function isUnchanged(kind: ContentKind, ctx: ContentPreviewContext, row: RequestRow): Promise<boolean> {
  const current = await ctx.read((read) => kind.read(read, row.target_id));
  return current !== undefined && contentHash(current.content) === row.content_hash;
}

/** The change on which members decided. */
async function decidedChange(
  kind: ContentKind,
  view: NonNullable<ContentKind['view']>,
  ctx: ContentPreviewContext,
  row: RequestRow,
): Promise<ChangePreview> {
  const request = { targetId: row.target_id, operation: row.operation, input: row.input };
  if (kind.decided !== undefined) {
    const executedAt = row.execution === 'done' ? (row.executed_at ?? undefined) : undefined;
    const decidedAt = row.decided_at ?? ctx.now;
    const change = await kind.decided(ctx, { ...request, contentHash: row.content_hash, decidedAt, executedAt });
    return change === undefined ? { state: 'content_changed' } : { state: 'rendered', change };
  }
  if (!(await isUnchanged(kind, ctx, row))) return { state: 'content_changed' };
  return { state: 'rendered', change: { before: null, after: (await view(ctx, request)).after } };
}

/** The change to decide on, or the change that was decided on. */
export async function previewOf(ctx: ContentPreviewContext, row: RequestRow): Promise<ChangePreview> {
  const kind = ctx.ports.heldCalls.contentKinds.get(row.surface_kind);
  const view = kind?.view?.bind(kind);
  if (kind === undefined || view === undefined) return { state: 'not_rendered' };
  try {
    if (row.status !== 'pending') return await decidedChange(kind, view, ctx, row);
    const change = await view(ctx, { targetId: row.target_id, operation: row.operation, input: row.input });
    return { state: 'rendered', change };
  } catch (cause) {
    ctx.log.warn({ cause: String(cause) }, 'a change could not be rendered for approval');
    return { state: 'not_rendered' };
  }
}
