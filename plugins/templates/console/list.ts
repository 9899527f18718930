// The page of templates in the console: a list with filters.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  beginsWith,
  clearFilters,
  comparedRows,
  emptyNotice,
  filterForm,
  html,
  idOfRow,
  moment,
  pager,
  picturedList,
  picturedPageSize,
  viewName,
  viewTabs,
} from '../../../core/unstable.ts';
import { composeForm } from './actions.ts';
import { templatePill } from './words.ts';

const path = 'templates';
const statuses = ['draft', 'published', 'archived'] as const;
const categories = ['transactional', 'marketing', 'system'] as const;

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
const choices = (words: readonly string[]) => words.map((word) => [word, capital(word)] as const);

/** The templates that a search of the console finds: of the newest templates, those whose name or key begins with the text. */
export async function findTemplates({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  const { data } = await calls.templates.list({ limit: comparedRows });
  return data
    .filter(({ id, key, name }) => id === text || beginsWith(text, name, key))
    .map(({ key, name }) => ({ title: name, detail: key, path: `${path}/${key}` }));
}

/** The list. */
export async function templateList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const status = statuses.find((known) => known === ctx.query['status']);
  const category = categories.find((known) => known === ctx.query['category']);
  const { data, next_cursor: next } = await ctx.calls.templates.list({
    limit: picturedPageSize(ctx),
    ...(status === undefined ? {} : { status }),
    ...(category === undefined ? {} : { category }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(
    ctx,
    path,
    [
      { name: 'status', label: 'State', options: choices(statuses), none: 'All but archived' },
      { name: 'category', label: 'Category', options: choices(categories) },
    ],
    [viewName],
  );
  const empty =
    status === undefined && category === undefined
      ? emptyNotice('A template is the content of a mail, with variables. Your product sends it by its key.')
      : emptyNotice('No template matches these filters.', clearFilters(ctx, path));
  const rows = data.map((template) => ({
    href: ctx.link(`${path}/${template.key}`),
    name: template.name,
    below: idOfRow(template.key),
    // Rendering a published version is quick, but a draft must be compiled.
    picture: template.version === 0 ? undefined : { document: ctx.link(`${path}/${template.key}/preview`) },
    status: templatePill(template),
    cells: [
      templatePill(template),
      template.kind === 'layout' ? 'Layout' : capital(template.category),
      template.version,
      moment(template.updatedAt, ctx),
    ],
  }));
  const columns = ['Template', 'State', 'Category', { head: 'Version', isNumber: true }, 'Changed'];
  const table = data.length === 0 ? empty : picturedList(ctx, 'Templates', columns, rows);
  return {
    heading: 'Templates',
    body: html`${composeForm(ctx)}${filter}${viewTabs(ctx, path)}${table}${pager(ctx, path, next)}`,
  };
}
