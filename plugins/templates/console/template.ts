// The page of one template in the console: its preview, its versions, its settings, and a test.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import { conclusion, detailLayout, facts, type Html, html, idOfRow, moment, panel } from '../../../core/unstable.ts';
import type { TemplateDetail } from '../schema.ts';
import { templateForms, testForm } from './actions.ts';
import { previewPanel } from './preview.ts';
import { versionsTable } from './versions.ts';
import { languageWords, templatePill } from './words.ts';

async function versionsPart(ctx: ConsoleContext, template: TemplateDetail): Promise<Html | null> {
  const table = await versionsTable(ctx, template);
  if (table === null) return null;
  const link = ctx.link(`templates/${template.key}/versions`);
  return html`<section class="stack"><h2>Versions</h2><p><a class="button" href="${link}">Compare versions</a></p>${table}</section>`;
}

/** One template. */
export async function templatePage(ctx: ConsoleContext): Promise<ConsoleView> {
  const template = await ctx.calls.templates.read({ key: ctx.params['key'] ?? '' });
  const { key, name, version, draft, layout, locale, locales } = template;
  const sends = ctx.mayCall('sends.list')
    ? html`<a href="${ctx.link('sends', { template: key })}">Sends of this template</a>`
    : undefined;
  const changes =
    version > 0
      ? html`<a href="${ctx.link(`templates/${key}/versions`)}">Differs from the published version</a>`
      : 'Not published yet';
  const languages = [...(locale === null ? [] : [locale]), ...Object.keys(locales)].map(languageWords);
  const templateFacts = facts([
    ['Key', idOfRow(key)],
    ['Subject', template.subject],
    ['Category', template.kind === 'layout' ? 'Layout' : template.category],
    ['Published version', version === 0 ? 'None' : version],
    ['Draft', draft ? changes : undefined],
    ['Layout', layout === null ? undefined : html`<a href="${ctx.link(`templates/${layout}`)}">${layout}</a>`],
    ['Topic', template.topicKey],
    ['Languages', languages.join(', ')],
    ['Changed', moment(template.updatedAt, ctx)],
    ['Published', template.publishedAt === null ? undefined : moment(template.publishedAt, ctx)],
    ['Sends', sends],
  ]);
  const waits =
    template.approval === null
      ? null
      : conclusion(
          'wait',
          'A change waits for a decision.',
          ctx.mayCall('approvals.read')
            ? html`<a href="${ctx.link(`approvals/${template.approval.requestId}`)}">To the request</a>`
            : undefined,
        );
  const main = [
    waits,
    templateForms(ctx, template),
    await previewPanel(ctx, template),
    await versionsPart(ctx, template),
  ];
  const aside = [panel('Template', templateFacts), testForm(ctx, template)];
  return { heading: name, status: templatePill(template), body: detailLayout(main, aside) };
}
