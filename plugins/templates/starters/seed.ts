// The starters of a new workspace, published in the transaction that creates it. Called by the plugin's workspaceCreated.
// They come compiled: nothing here may load the compiler.
import type { TransactionContext, Workspace } from '../../../core/index.ts';
import { beginning, lineFault } from '../../../core/unstable.ts';
import { themed } from '../composing/style.ts';
import { insertPublished } from '../store.ts';
import type { TemplateRow, TemplateVersionRow } from '../tables.ts';
import { productLimit } from './brand.ts';
import { starters } from './catalogue.ts';
import { compiledStarters } from './compiled.gen.ts';
import { type CompiledStarter, type Starter, starterLocale } from './starter.ts';

/** The name by which recipients know the workspace: the name of its sender, else the workspace's name, else its domain. */
function productOf({ defaultFrom, name }: Workspace): string {
  const domain = defaultFrom.email.slice(defaultFrom.email.lastIndexOf('@') + 1);
  // Subjects contain the name: a workspace's own name may be longer than a line, or contain a line break.
  const fits = (input: string) => input !== '' && [...input].length <= productLimit && lineFault(input) === undefined;
  return [defaultFrom.name.trim(), name.trim()].find(fits) ?? beginning(domain, productLimit);
}

/** A contract as JSON, with this name as the default of the product. */
function contractWith(product: string, contract: Starter['variables'] | CompiledStarter['contract']): string {
  const { properties } = contract;
  return JSON.stringify({
    ...contract,
    properties: { ...properties, product: { ...properties['product'], default: product } },
  });
}

function rowsOf(
  starter: Starter,
  { id, product, now }: { id: string; product: string; now: number },
): { readonly template: TemplateRow; readonly version: TemplateVersionRow } {
  const compiled = compiledStarters[starter.key];
  if (compiled === undefined) throw new Error(`${starter.key} is not compiled: run test/support/compile-starters.ts.`);
  const { key, name, category, delivery, subject, previewText, text } = starter;
  const body = themed(starter.body);
  const variables = contractWith(product, starter.variables);
  const both = { mode: 'mjml', version: 1, contract_version: 1, created_at: now } as const;
  const language = { layout: null, locale: starterLocale, locales: null };
  const template: TemplateRow = {
    ...both,
    ...language,
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
  };
  const version: TemplateVersionRow = {
    ...both,
    ...language,
    template_id: id,
    source: JSON.stringify({ subject, previewText, body, text, variables, locales: null }),
    subject: compiled.subject,
    preview_text: compiled.previewText,
    html: compiled.html,
    text_part: compiled.text,
    contract: contractWith(product, compiled.contract),
    layout_version: null,
    theme: null,
    theme_id: null,
  };
  return { template, version };
}

/** The keys of the starters with their contracts, without the name of the workspace, which they get as a default. */
export const starterContracts = Object.entries(compiledStarters).map(([key, { contract }]) => ({ key, contract }));

/** Inserts them with two statements. */
export async function seedStarters({ trx, workspace, now, newId }: TransactionContext): Promise<void> {
  const product = productOf(workspace);
  const rows = starters.map((starter) => rowsOf(starter, { id: newId('tpl'), product, now }));
  await insertPublished(
    trx,
    rows.map(({ template }) => template),
    rows.map(({ version }) => version),
  );
}
