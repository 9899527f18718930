// The page of one template in the console: a preview in a frame, its versions and its facts.
import { type ConsoleContext, type ConsoleDocument, type ConsoleView, isPostriderError } from '../../../core/index.ts';
import {
  dataTable,
  detailLayout,
  documentFrame,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
  wordsForPeople,
} from '../../../core/unstable.ts';
import { templatePill } from './words.ts';

const keyOf = ({ params }: ConsoleContext): string => params['key'] ?? '';

async function versionsPanel(ctx: ConsoleContext, key: string): Promise<Html | null> {
  const { data } = await ctx.calls.templates.versions({ key, limit: 20 });
  if (data.length === 0) return null;
  const rows = data.map(({ version, subject, createdAt, current }) => [
    html`${version}${current ? ' (current)' : ''}`,
    subject,
    moment(createdAt, ctx),
  ]);
  return html`<section class="stack"><h2>Versions</h2>${dataTable('Versions', ['Version', 'Subject', 'Published'], rows)}</section>`;
}

/** One template. */
export async function templatePage(ctx: ConsoleContext): Promise<ConsoleView> {
  const template = await ctx.calls.templates.read({ key: keyOf(ctx) });
  const { key, name, version, draft, layout } = template;
  const isDraft = version === 0 || (draft && ctx.query['copy'] === 'working');
  const preview = ctx.link(`templates/${key}/preview`, isDraft ? { copy: 'working' } : {});
  const other = isDraft
    ? html`<a href="${ctx.link(`templates/${key}`)}">Show the published version</a>`
    : html`<a href="${ctx.link(`templates/${key}`, { copy: 'working' })}">Show the working copy</a>`;
  const which = html`<p class="quiet">${isDraft ? 'The working copy' : 'The published version'}, filled with an example. Pictures from other hosts are not loaded here. ${version > 0 && draft ? other : null}</p>`;
  const sends = ctx.mayCall('sends.list')
    ? html`<a href="${ctx.link('sends', { template: key })}">Sends of this template</a>`
    : undefined;
  const known = facts([
    ['Key', idOfRow(key)],
    ['Subject', template.subject],
    ['Category', template.kind === 'layout' ? 'Layout' : template.category],
    ['Published version', version === 0 ? 'None' : version],
    ['Draft', draft ? 'Differs from the published version' : undefined],
    ['Layout', layout === null ? undefined : html`<a href="${ctx.link(`templates/${layout}`)}">${layout}</a>`],
    ['Topic', template.topicKey],
    ['Language', template.locale],
    ['Changed', moment(template.updatedAt, ctx)],
    ['Published', template.publishedAt === null ? undefined : moment(template.publishedAt, ctx)],
    ['Sends', sends],
  ]);
  const main = [
    panel('Preview', html`${which}${documentFrame(preview, `Preview of ${name}`)}`),
    await versionsPanel(ctx, key),
  ];
  return { heading: name, status: templatePill(template), body: detailLayout(main, panel('Template', known)) };
}

/** The rendered mail, for the frame. */
export async function templatePreview(ctx: ConsoleContext): Promise<ConsoleDocument> {
  try {
    const draft = ctx.query['copy'] === 'working';
    const { html: document } = await ctx.calls.templates.render({ key: keyOf(ctx), draft });
    return { document: document ?? '' };
  } catch (error) {
    if (!isPostriderError(error) || error.status >= 500 || error.code === 'template_not_found') throw error;
    const text = html`<p>${wordsForPeople(error.message)}</p>`;
    return { document: `<!doctype html><title>No preview</title>${text.html}` };
  }
}
