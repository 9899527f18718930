// The page of a template's versions in the console: their publishers and times, the differences between two versions, and the form that
// goes back to a version.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  type ComparedText,
  chosenVersions,
  comparedText,
  dataTable,
  emptyNotice,
  type Html,
  html,
  moment,
  pager,
  type VersionName,
  versionComparison,
  versionLink,
} from '../../../core/unstable.ts';
import { publishersOf } from '../../kit/publishers.ts';
import type { TemplateDetail } from '../schema.ts';
import { rollbackForm } from './actions.ts';
import { languageWords, templatePill } from './words.ts';

const pageSize = 20;
/** The maximum number of versions that the form offers. */
const offeredVersions = 100;

type Languages = TemplateDetail['locales'];

/** The texts of one other language in two versions. */
const languageTexts = (locale: string, before: Languages, after: Languages): ComparedText[] =>
  (['subject', 'previewText', 'body', 'text'] as const).map((part) => ({
    name: `${languageWords(locale)}: ${partNames[part]}`,
    before: before[locale]?.[part] ?? '',
    after: after[locale]?.[part] ?? '',
    isLong: part === 'body' || part === 'text',
  }));

const partNames = { subject: 'Subject', previewText: 'Preview text', body: 'Body', text: 'Plain text' } as const;

/** The parts of two versions that can differ, side by side. */
function textsOf(before: TemplateDetail, after: TemplateDetail): ComparedText[] {
  const part = (name: string, contentOf: (template: TemplateDetail) => unknown, isLong = false): ComparedText => ({
    name,
    before: comparedText(contentOf(before)),
    after: comparedText(contentOf(after)),
    isLong,
  });
  const locales = new Set([...Object.keys(before.locales), ...Object.keys(after.locales)]);
  return [
    part(partNames.subject, ({ subject }) => subject),
    part(partNames.previewText, ({ previewText }) => previewText),
    part('Languages', ({ locale, locales: others }) => [locale ?? 'None named', ...Object.keys(others)].join(', ')),
    part('Layout', ({ layout }) => layout ?? 'None'),
    part('Theme', ({ themeId }) => themeId ?? 'None'),
    part('Language of the body', ({ mode }) => mode.toUpperCase()),
    part(partNames.body, ({ body }) => body, true),
    part(partNames.text, ({ text }) => text, true),
    part('Contract of the variables', ({ variables }) => variables, true),
    ...[...locales].flatMap((locale) => languageTexts(locale, before.locales, after.locales)),
  ];
}

const pathOf = ({ key }: Pick<TemplateDetail, 'key'>): string => `templates/${key}/versions`;

/** The versions after `cursor`, newest first, each with its publisher and the form that goes back to it. */
export async function versionsTable(
  ctx: ConsoleContext,
  template: TemplateDetail,
  cursor?: string,
): Promise<Html | null> {
  const page = { key: template.key, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
  const { data, next_cursor: next } = await ctx.calls.templates.versions(page);
  if (data.length === 0) return null;
  const publishers = await publishersOf(
    ctx,
    template.id,
    ['template.publish', 'template.rollback'],
    data.at(-1)?.createdAt,
  );
  const rows = data.map(({ version, subject, createdAt, current }) => [
    versionLink(ctx, pathOf(template), version, template.version),
    html`<span dir="auto">${subject}</span>`,
    html`${moment(createdAt, ctx)}${publishers.get(version)}`,
    current ? null : rollbackForm(ctx, template, version),
  ]);
  const columns = ['Version', 'Subject', 'Published', 'Go back'];
  return html`${dataTable('Versions', columns, rows)}${pager(ctx, pathOf(template), next)}`;
}

/** The page of the versions. */
export async function versionsPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const template = await ctx.calls.templates.read({ key: ctx.params['key'] ?? '' });
  const { key, name, version: current, draft } = template;
  const head = { heading: `Versions of ${name}`, status: templatePill(template) };
  if (current === 0) {
    const link = { text: 'To the template', href: ctx.link(`templates/${key}`) };
    return { ...head, body: emptyNotice('No version was published yet.', link) };
  }
  const pair = chosenVersions(ctx, { current, hasChanges: draft });
  const read = (version: VersionName) =>
    version === 'working' ? template : ctx.calls.templates.read({ key, version });
  const { data } = await ctx.calls.templates.versions({ key, limit: offeredVersions });
  const numbers = data.map(({ version }) => version);
  const texts = textsOf(await read(pair.before), await read(pair.after));
  const list = await versionsTable(ctx, template, ctx.query['cursor']);
  return {
    ...head,
    body: html`<div class="stack">${versionComparison(ctx, pathOf(template), pair, numbers, texts)}${list}</div>`,
  };
}
