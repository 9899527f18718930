// The templates of a workspace: the installed reserved keys, with the workspace's own wording where it has one.
import type { ServiceContext, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import type { TextTemplate } from '../templates/index.ts';
import { errors } from './errors.ts';
import { findKitTemplate, type KitTemplate, kit } from './kit/kit.ts';
import type { CatalogTemplate } from './schema.ts';
import type { Settings } from './settings.ts';
import { type SmsWordingRow, wordingRows } from './tables.ts';

/** Parsed texts by their source. Sources are few: the kit's, and own ones until this many. */
const max = 200;

/** Makes texts of sources; those of the same source are the same. */
export function createTexts({ services }: ServiceContext) {
  const known = new Map<string, TextTemplate>();
  return (body: string, variables: Readonly<Record<string, unknown>>): TextTemplate => {
    const key = JSON.stringify([body, variables]);
    let text = known.get(key);
    if (text === undefined) {
      if (known.size >= max) known.clear();
      text = services.templates.text({ body, variables });
      known.set(key, text);
    }
    return text;
  };
}

export type Texts = ReturnType<typeof createTexts>;

const isInstalled = ({ templates }: Settings, { templateKey }: KitTemplate): boolean =>
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
export async function listTemplates(handle: WorkspaceHandle, settings: Settings): Promise<CatalogTemplate[]> {
  const own = new Map(
    (await wordingRows.page(handle, { limit: kit.length })).map((row) => [row.template_key, row] as const),
  );
  return kit
    .filter((template) => isInstalled(settings, template))
    .map((template) => presentTemplate(template, own.get(template.templateKey)));
}

type Variables = Readonly<Record<string, unknown>>;

/** A text with values in it, and the same without its secrets. */
export interface Rendered {
  readonly template: KitTemplate;
  /** As accepted by the contract. */
  readonly variables: Variables;
  readonly text: string;
  readonly shown: string;
}

const hidden = '••••••';

/** Dots in place of every text and number in a value. */
function hide(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return hidden;
  if (Array.isArray(value)) return value.map(hide);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hide(member)]));
}

/**
 * The text of an authentication message as others see it. An own wording names its variables as it likes, so each of them but
 * the name of the brand may hold the code that signs a person in. One that computes with its values cannot show dots: nothing of it is shown.
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
 * Renders a template for a call. `brand` is the workspace's name where the caller gives none.
 * @throws sms_template_not_found, variables_invalid, sms_body_empty
 */
export async function renderTemplate(
  ctx: TransactionContext,
  settings: Settings,
  key: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Rendered> {
  const template = findKitTemplate(key);
  if (template === undefined || !isInstalled(settings, template)) throw errors.sms_template_not_found({ key });
  const own = await wordingRows.find(ctx.trx, key);
  const { body, variables: contract } = presentTemplate(template, own);
  const source = ctx.services.smsTexts(body, contract);
  const { properties } = source.contract as { readonly properties?: Readonly<Record<string, unknown>> };
  const hasBrand = Object.hasOwn(properties ?? {}, 'brand');
  const named = hasBrand && given['brand'] === undefined ? { ...given, brand: ctx.workspace.name.slice(0, 60) } : given;
  const variables = source.accept(key, named);
  const render = (values: Readonly<Record<string, unknown>>): string => source.render(key, values, ctx.now).trim();
  const text = render(variables);
  if (text === '') throw errors.sms_body_empty({ key });
  const shown = template.class === 'authentication' ? renderHidden(render, variables) : text;
  return { template, variables, text, shown };
}
