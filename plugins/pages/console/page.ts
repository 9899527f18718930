// The page of one landing page in the console: its public state, the links to view it, its sections and its versions.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  conclusion,
  dataTable,
  detailLayout,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
} from '../../../core/unstable.ts';
import { missingWordsForm } from '../../kit/missing-words.ts';
import type { PageResource } from '../schema.ts';
import { actionForms, readContent } from './actions.ts';
import { versionsTable } from './versions.ts';
import { buildPill, isBuilding, statusPill } from './words.ts';

/** The interval at which the browser reloads the page while it is built, in seconds. */
const refreshSeconds = 5;

/** A sentence about the version that visitors see, or about the build. */
function sentence({ status, draft, version, composeStatus, error }: PageResource): Html {
  if (composeStatus === 'queued') return conclusion('info', 'The page is being built.');
  if (composeStatus === 'failed') return conclusion('bad', 'The build failed.', error ?? undefined);
  const failed = error === null ? undefined : `The last build failed: ${error}`;
  if (status === 'draft') return conclusion('wait', 'Nobody sees the page yet: it is a draft.', failed);
  if (status === 'unpublished') return conclusion('wait', 'Visitors see nothing: the page is offline.', failed);
  return draft
    ? conclusion('good', `Visitors see version ${version}. The working copy differs from it.`, failed)
    : conclusion('good', `Visitors see version ${version}.`, failed);
}

async function versionsPart(ctx: ConsoleContext, page: PageResource): Promise<Html> {
  const compare =
    page.version === 0
      ? null
      : html`<p><a class="button" href="${ctx.link(`pages/${page.id}/versions`)}">Compare versions</a></p>`;
  return html`<section class="stack"><h2>Versions</h2>${compare}${await versionsTable(ctx, page)}</section>`;
}

function sectionsPart({ sections }: Pick<PageResource, 'sections'>): Html | null {
  if (sections.length === 0) return null;
  const rows = sections.map(({ kind, heading }) => [
    html`<span dir="auto">${heading ?? 'Without a heading'}</span>`,
    kind.replaceAll('_', ' '),
  ]);
  return html`<section class="stack"><h2>Sections of the working copy</h2>${dataTable('Sections', ['Heading', 'Kind'], rows)}</section>`;
}

const outside = (href: string | null, text: string): Html | undefined =>
  href === null ? undefined : html`<a href="${href}" target="_blank" rel="noreferrer">${text}</a>`;

function factsOf(ctx: ConsoleContext, page: PageResource): Html {
  const { approval, progress, metadata } = page;
  return facts([
    ['Public address', outside(page.url, page.url ?? '')],
    ['Preview of the working copy', outside(page.previewUrl, 'Open, for 24 hours')],
    [
      'Approval',
      approval === null
        ? undefined
        : ctx.mayCall('approvals.read')
          ? html`<a href="${ctx.link(`approvals/${approval.requestId}`)}">Waits for a decision</a>`
          : 'Waits for a decision',
    ],
    [
      'Forms',
      ctx.mayCall('contacts.list')
        ? html`<a href="${ctx.link(`pages/${page.id}/submissions`)}">What visitors sent</a>`
        : undefined,
    ],
    ['Address', page.slug],
    ['Build', buildPill(page)],
    ['Progress', isBuilding(page) ? `${progress.phase}, ${progress.done} of ${progress.total}` : undefined],
    ['Made', page.editor === 'retired' ? 'Imported HTML' : undefined],
    ['Description', metadata.description],
    ['Search engines', metadata.noindex ? 'Asked to leave it out' : undefined],
    ['Language', metadata.language],
    [
      'Brand',
      ctx.mayCall('brand.read')
        ? html`<a href="${ctx.link(`brand/${page.brandId}`)}">${page.brandId}</a>`
        : idOfRow(page.brandId),
    ],
    ['Created', moment(page.createdAt, ctx)],
    ['Changed', moment(page.updatedAt, ctx)],
    ['Published', page.publishedAt === null ? undefined : moment(page.publishedAt, ctx)],
    ['Id', idOfRow(page.id)],
  ]);
}

/** One page. */
export async function landingPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const page = (await ctx.calls.pages.read({ idOrSlug: ctx.params['pageId'] ?? '' })) as PageResource;
  const mayWrite = !isBuilding(page) && page.editor === 'current' && ctx.mayCall('pages.update');
  const missing = mayWrite ? missingWordsForm(ctx, 'the page', await readContent(ctx, page.id)) : null;
  const main = [sentence(page), missing, sectionsPart(page), await versionsPart(ctx, page)];
  return {
    heading: page.title,
    status: statusPill(page),
    body: detailLayout(main, [panel('Page', factsOf(ctx, page)), actionForms(ctx, page)]),
    ...(isBuilding(page) ? { refreshSeconds } : {}),
  };
}
