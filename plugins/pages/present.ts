// The API's representation of pages.

import {
  type PendingDecision,
  presenter,
  type ReadContext,
  type ServiceContext,
  type TransactionContext,
  type Workspace,
} from '../../core/index.ts';
import { contentUrl } from '../../core/unstable.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import { pageKindId } from './content-kind-id.ts';
import { previewPath, previewToken } from './preview-token.ts';
import { type PageResource, pageResourceObject } from './schema.ts';
import { encodeSlug } from './slug.ts';
import { type PageHead, pages } from './tables.ts';

/** The context that presenting needs besides the row. */
export interface PagePresentContext extends ServiceContext {
  readonly workspace: Workspace;
  readonly now: number;
}

const presentColumns = presenter(
  pages,
  pageResourceObject.omit({ draft: true, url: true, previewUrl: true, sections: true, approval: true }),
);

/** The page's public address; null if visitors cannot see the page, or if the service has no public address. */
export const urlOf = (
  { ports, workspace }: Pick<PagePresentContext, 'ports' | 'workspace'>,
  { status, sandbox, published_slug: slug }: Pick<PageHead, 'status' | 'sandbox' | 'published_slug'>,
): string | null =>
  status !== 'published' || sandbox || slug === null
    ? null
    : (contentUrl(ports.service, workspace, `/p/${encodeSlug(slug)}`) ?? null);

/** A page as lists show it. */
export function presentPage(
  context: PagePresentContext,
  head: PageHead,
  approval: PendingDecision | undefined,
): PageResource {
  const { ports, workspace, now } = context;
  const token = previewToken(ports.keyring, head.id, now);
  const { outline: sections, content_hash: hash, published_hash: published } = head;
  return {
    ...presentColumns(head as never),
    draft: hash !== published,
    url: urlOf(context, head),
    previewUrl: contentUrl(ports.service, workspace, previewPath(token)) ?? null,
    sections: [...sections],
    approval: approval ?? null,
  };
}

/** The pending approval requests, by page. */
export async function approvalsOf(
  { services, trx }: ReadContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PendingDecision>> {
  const approvals: ApprovalsService | undefined = services.approvals;
  return (await approvals?.pendingOf(trx, pageKindId, ids)) ?? new Map();
}

/** Presents a page with its pending approval request. */
export const showPage = async (ctx: TransactionContext, head: PageHead): Promise<PageResource> =>
  presentPage(ctx, head, (await approvalsOf(ctx, [head.id])).get(head.id));
