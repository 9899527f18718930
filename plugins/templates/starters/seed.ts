// Inserts the published starters in the transaction that creates a workspace. Called by the plugin's workspaceCreated. The
// starters are already compiled, so that no compiler is loaded here.
import type { TransactionContext, Workspace } from '../../../core/index.ts';
import { beginning, lineFault } from '../../../core/unstable.ts';
import { themed } from '../composing/style.ts';
import { insertPublished } from '../store.ts';
import type { TemplateRow, TemplateVersionRow } from '../tables.ts';
import { freezeLocales } from '../versions/frozen-locales.ts';
import { productLimit } from './brand.ts';
import { starterLayouts } from './catalogue.ts';
import { compiledHtml, compiledStarter, languagesOf, type StarterLanguages } from './languages.ts';
import type { LanguageTexts } from './marks.ts';
import { type CompiledStarter, type Starter, type StarterLayout, starterIn } from './starter.ts';

/** The name by which recipients know the workspace: the name of its sender, else the workspace's name, else its domain. */
function productOf({ defaultFrom, name }: Workspace): string {
  const domain = defaultFrom.email.slice(defaultFrom.email.lastIndexOf('@') + 1);
  // Subjects contain the name, so a name that is too long or has line breaks is not used.
  const isValidName = (input: string) =>
    input !== '' && [...input].length <= productLimit && lineFault(input) === undefined;
  return [defaultFrom.name.trim(), name.trim()].find(isValidName) ?? beginning(domain, productLimit);
}

/** A contract as JSON, with this name as the default of the product. */
function contractWith(product: string, contract: Starter['variables'] | CompiledStarter['contract']): string {
  const { properties } = contract;
  return JSON.stringify({
    ...contract,
    properties: { ...properties, product: { ...properties['product'], default: product } },
  });
}

/** The columns of a starter that contain its languages. They are the same in all workspaces. */
function contentOf(layout: StarterLayout, [first, ...others]: readonly [LanguageTexts, ...LanguageTexts[]]) {
  const own = starterIn(layout, first);
  const translated = others.map((language) => ({ language, starter: starterIn(layout, language) }));
  const sources = translated.map(({ language: { language }, starter: { subject, previewText, body, text } }) => [
    language,
    { subject, previewText, body: themed(body), text },
  ]);
  const contents = translated.map(({ language, starter: { subject, previewText, text } }) => {
    const html = compiledHtml(layout.key, language);
    return { locale: language.language, subject, previewText, html, text };
  });
  return {
    starter: { ...own, body: themed(own.body) },
    html: compiledHtml(layout.key, first),
    locale: first.language,
    locales: sources.length === 0 ? null : JSON.stringify(Object.fromEntries(sources)),
    frozenLocales: freezeLocales(contents),
  };
}

type StarterContent = ReturnType<typeof contentOf>;

function rowsOf(
  { starter, html, locale, locales, frozenLocales }: StarterContent,
  { id, product, now }: { id: string; product: string; now: number },
): { readonly template: TemplateRow; readonly version: TemplateVersionRow } {
  const { key, name, category, delivery, subject, previewText, body, text } = starter;
  const variables = contractWith(product, starter.variables);
  const shared = { mode: 'mjml', version: 1, contract_version: 1, created_at: now, layout: null, locale } as const;
  const template: TemplateRow = {
    ...shared,
    id,
    key,
    name,
    kind: null,
    category,
    theme_id: null,
    status: 'published',
    delivery,
    track_opens: 0,
    track_clicks: 0,
    expires_in: starter.expiresIn ?? null,
    topic_key: null,
    subject,
    preview_text: previewText,
    body,
    text_part: text,
    variables,
    revision: 1,
    published_revision: 1,
    updated_at: now,
    published_at: now,
    locales,
  };
  const version: TemplateVersionRow = {
    ...shared,
    template_id: id,
    source: JSON.stringify({ subject, previewText, body, text, variables, locales }),
    subject,
    preview_text: previewText,
    html,
    text_part: text,
    contract: contractWith(product, compiledStarter(key).contract),
    layout_version: null,
    theme: null,
    theme_id: null,
    locales: frozenLocales,
  };
  return { template, version };
}

/** The keys and contracts of the starters. The default of `product` is not replaced by a workspace's name. */
export const starterContracts = () =>
  starterLayouts.map(({ key }) => ({ key, contract: compiledStarter(key).contract }));

/**
 * Returns the function that gives a new workspace its starters, with two statements.
 * @throws Error if a language has no texts, or incomplete texts
 */
export function createStarterSeed(chosen: StarterLanguages): (ctx: TransactionContext) => Promise<void> {
  const languages = languagesOf(chosen);
  let contents: readonly StarterContent[] | undefined;
  return async ({ trx, workspace, now, newId }) => {
    contents ??= starterLayouts.map((layout) => contentOf(layout, languages));
    const product = productOf(workspace);
    const rows = contents.map((content) => rowsOf(content, { id: newId('tpl'), product, now }));
    await insertPublished(
      trx,
      rows.map(({ template }) => template),
      rows.map(({ version }) => version),
    );
  };
}
