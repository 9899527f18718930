// The page of landing pages in the console: a list with filters, and the form that has a page built from a brief.
import type { ConsoleAction, ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  clearFilters,
  emptyNotice,
  filterForm,
  foundByIdOrName,
  type Html,
  html,
  moment,
  pager,
  picturedList,
  picturedPageSize,
  viewName,
  viewTabs,
} from '../../../core/unstable.ts';
import { assetPicture } from '../../kit/asset-picture.ts';
import { buildPrice, composeStatus, pageStatus } from '../schema.ts';
import { buildChoices, buildPill, statusChoices, statusPill } from './words.ts';

const path = 'pages';

/** The pages that a search of the console finds. */
export const findPages = ({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> =>
  foundByIdOrName<{ readonly id: string; readonly title: string; readonly slug: string }>(text, {
    prefix: 'pg',
    read: (idOrSlug) => calls.pages.read({ idOrSlug }),
    list: (page) => calls.pages.list(page),
    namesOf: ({ title, slug }) => [title, slug],
    matchOf: ({ id, title, slug }) => ({ title, detail: slug, path: `${path}/${id}` }),
  });

const createForm = (ctx: ConsoleContext): Html | null =>
  ctx.mayCall('pages.create')
    ? actionForm(ctx, 'create', {
        label: 'Build a page',
        question: `The page is built from the brief, in the style of the default brand, for ${buildPrice} credits. Nobody sees it before it is published.`,
        verb: 'Build the page',
        inputs: [
          {
            name: 'brief',
            label: 'What the page is about, and for whom',
            isLong: true,
            isRequired: true,
            maxLength: 8_000,
          },
          { name: 'slug', label: 'Its address, such as spring-course (made from the title, if empty)', maxLength: 80 },
        ],
      })
    : null;

/** Has a page built, and leads to the page, which shows the progress. */
export const createAction: ConsoleAction = {
  async leadTo({ calls }, { idempotencyKey, fields: { brief = '', slug = '' } }) {
    const address = slug.trim();
    const { id } = await calls.pages.create(
      { brief, ...(address === '' ? {} : { slug: address }) },
      { idempotencyKey },
    );
    return `${path}/${id}`;
  },
};

/** The list. */
export async function pageList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const status = pageStatus.safeParse(ctx.query['status']).data;
  const build = composeStatus.safeParse(ctx.query['build']).data;
  const { data, next_cursor: next } = await ctx.calls.pages.list({
    limit: picturedPageSize(ctx),
    ...(status === undefined ? {} : { status }),
    ...(build === undefined ? {} : { composeStatus: build }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(
    ctx,
    path,
    [
      { name: 'status', label: 'State', options: statusChoices },
      { name: 'build', label: 'Build', options: buildChoices },
    ],
    [viewName],
  );
  const empty =
    status === undefined && build === undefined
      ? emptyNotice('A landing page is built from a brief, and shown to visitors once it is published.')
      : emptyNotice('No page matches these filters.', clearFilters(ctx, path));
  const rows = data.map((page) => {
    const status = html`${statusPill(page)}${page.draft && page.status === 'published' ? html`<span class="below">with changes</span>` : null}`;
    return {
      href: ctx.link(`${path}/${page.id}`),
      name: page.title,
      below: page.slug,
      picture: assetPicture(ctx, page.ogAssetId, `The picture in previews of links to ${page.title}`),
      status,
      cells: [status, buildPill(page), page.version, moment(page.updatedAt, ctx)],
    };
  });
  const columns = ['Page', 'State', 'Build', { head: 'Version', isNumber: true }, 'Changed'];
  const table = rows.length === 0 ? empty : picturedList(ctx, 'Pages', columns, rows);
  return {
    heading: 'Pages',
    body: html`${createForm(ctx)}${filter}${viewTabs(ctx, path)}${table}${pager(ctx, path, next)}`,
  };
}
