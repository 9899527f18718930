// The page of templates in the console: a list with filters.
import type { ConsoleContext, ConsoleMatch, ConsoleView } from '../../../core/index.ts';
import {
  beginsWith,
  comparedRows,
  dataTable,
  emptyNotice,
  filterForm,
  html,
  idOfRow,
  moment,
  nameCell,
  pager,
} from '../../../core/unstable.ts';
import { templatePill } from './words.ts';

const path = 'templates';
const pageSize = 50;
const statuses = ['draft', 'published', 'archived'] as const;
const categories = ['transactional', 'marketing', 'system'] as const;

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
const choices = (words: readonly string[]) => words.map((word) => [word, capital(word)] as const);

/** Templates among the newest whose names or keys begin with the text. */
export async function findTemplates({ calls }: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  const { data } = await calls.templates.list({ limit: comparedRows });
  return data
    .filter(({ id, key, name }) => id === text || beginsWith(text, name, key))
    .map(({ key, name }) => ({ title: name, detail: key, path: `${path}/${key}` }));
}

/** The list. */
export async function templateList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { cursor } = ctx.query;
  const status = statuses.find((one) => one === ctx.query['status']);
  const category = categories.find((one) => one === ctx.query['category']);
  const { data, next_cursor: next } = await ctx.calls.templates.list({
    limit: pageSize,
    ...(status === undefined ? {} : { status }),
    ...(category === undefined ? {} : { category }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [
    { name: 'status', label: 'State', options: choices(statuses), none: 'All but archived' },
    { name: 'category', label: 'Category', options: choices(categories) },
  ]);
  const empty =
    status === undefined && category === undefined
      ? emptyNotice('A template is the content of a mail, with variables. Your product sends it by its key.')
      : emptyNotice('No template matches these filters.', { text: 'Clear filters', href: ctx.link(path) });
  const rows = data.map((template) => [
    nameCell(ctx.link(`${path}/${template.key}`), template.name, idOfRow(template.key)),
    templatePill(template),
    template.kind === 'layout' ? 'Layout' : capital(template.category),
    template.version,
    moment(template.updatedAt, ctx),
  ]);
  const columns = ['Template', 'State', 'Category', { head: 'Version', isNumber: true }, 'Changed'];
  const table = data.length === 0 ? empty : dataTable('Templates', columns, rows);
  return { heading: 'Templates', body: html`${filter}${table}${pager(ctx, path, next)}` };
}
