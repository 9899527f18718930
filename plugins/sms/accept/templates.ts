// The templates of a workspace: the built-in templates that it has enabled. Its own text replaces the built-in one.
import type { ServiceContext, TransactionContext, WorkspaceHandle } from '../../../core/index.ts';
import type { TextTemplate } from '../../templates/index.ts';
import { errors } from '../errors.ts';
import { findKitTemplate, type KitTemplate, kit } from '../kit/kit.ts';
import type { CatalogTemplate } from '../schema.ts';
import type { WorkspaceSmsSettings } from '../settings.ts';
import { type SmsWordingRow, wordingRows } from '../tables.ts';

/** The maximum number of parsed texts in memory. There are few sources: the kit's texts and workspaces' own texts. */
const max = 200;

/** Parses the texts of messages, and caches the result by the text. */
export function createSmsTexts({ services }: ServiceContext) {
  const templatesByKey = new Map<string, TextTemplate>();
  return (body: string, variables: Readonly<Record<string, unknown>>): TextTemplate => {
    const key = JSON.stringify([body, variables]);
    let text = templatesByKey.get(key);
    if (text === undefined) {
      if (templatesByKey.size >= max) templatesByKey.clear();
      text = services.templates.text({ body, variables });
      templatesByKey.set(key, text);
    }
    return text;
  };
}

export type SmsTexts = ReturnType<typeof createSmsTexts>;

const isInstalled = ({ templates }: WorkspaceSmsSettings, { templateKey }: KitTemplate): boolean =>
  templates === null || templates.includes(templateKey);

/** A template as callers see it. */
export function presentTemplate(template: KitTemplate, own?: SmsWordingRow): CatalogTemplate {
  const { templateKey, class: kind } = template;
  return {
    templateKey,
    class: kind,
    name: own?.name ?? template.name,
    body: own?.body ?? template.body,
    variables: { ...(own?.variables ?? template.variables) },
    requiresConsent: kind !== 'authentication',
    custom: own !== undefined,
  };
}

/** The installed templates, in the order of the kit. */
export async function listTemplates(
  handle: WorkspaceHandle,
  settings: WorkspaceSmsSettings,
): Promise<CatalogTemplate[]> {
  const ownTexts = new Map(
    (await wordingRows.page(handle, { limit: kit.length })).map((row) => [row.template_key, row] as const),
  );
  return kit
    .filter((template) => isInstalled(settings, template))
    .map((template) => presentTemplate(template, ownTexts.get(template.templateKey)));
}

type Variables = Readonly<Record<string, unknown>>;

/** A rendered text, and a version without its secrets. */
export interface RenderedSms {
  readonly template: KitTemplate;
  /** The accepted variables, with the defaults of the contract. */
  readonly variables: Variables;
  readonly text: string;
  readonly redacted: string;
}

const hidden = '••••••';

/** Replaces every text and number in a value with dots. */
function hide(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return hidden;
  if (Array.isArray(value)) return value.map(hide);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hide(member)]));
}

/**
 * The text of an authentication message with dots in place of secrets. A workspace's own text names its variables freely, so every
 * variable except the brand name may contain the sign-in code. If the text computes with its values, rendering it with dots fails, and
 * the result is only dots.
 */
function renderHidden(render: (values: Variables) => string, variables: Variables): string {
  const values = Object.entries(variables).map(([name, value]) => [name, name === 'brand' ? value : hide(value)]);
  try {
    return render(Object.fromEntries(values));
  } catch {
    return hidden;
  }
}

/**
 * Renders a template for a call. `brand` defaults to the workspace's name.
 * @throws sms_template_not_found, variables_invalid, sms_body_empty
 */
export async function renderTemplate(
  ctx: TransactionContext,
  settings: WorkspaceSmsSettings,
  key: string,
  input: Readonly<Record<string, unknown>>,
): Promise<RenderedSms> {
  const template = findKitTemplate(key);
  if (template === undefined || !isInstalled(settings, template)) throw errors.sms_template_not_found({ key });
  const ownText = await wordingRows.find(ctx.trx, key);
  const { body, variables: contract } = presentTemplate(template, ownText);
  const source = ctx.services.smsTexts(body, contract);
  const { properties } = source.contract as { readonly properties?: Readonly<Record<string, unknown>> };
  const hasBrand = Object.hasOwn(properties ?? {}, 'brand');
  const withBrand =
    hasBrand && input['brand'] === undefined ? { ...input, brand: ctx.workspace.name.slice(0, 60) } : input;
  const variables = source.accept(key, withBrand);
  const render = (values: Readonly<Record<string, unknown>>): string => source.render(key, values, ctx.now).trim();
  const text = render(variables);
  if (text === '') throw errors.sms_body_empty({ key });
  const redacted = template.class === 'authentication' ? renderHidden(render, variables) : text;
  return { template, variables, text, redacted };
}
