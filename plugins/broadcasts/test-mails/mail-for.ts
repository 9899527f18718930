// The template of a broadcast and its variables for one contact, or with examples. Shared by the preview and by test mails.
import { isPostriderError, type ReadContext, type ServiceContext } from '../../../core/index.ts';
import type { KnownContact } from '../../contacts/index.ts';
import type { ResolvedTemplate } from '../../templates/index.ts';
import type { BroadcastRow } from '../broadcasts.ts';
import { acceptsVariable } from '../checks/faults.ts';
import { errors } from '../errors.ts';
import type { Variant } from '../experiments/schema.ts';
import { mailOf, requireVariant } from '../experiments/variants.ts';
import { frozenOf } from '../frozen.ts';
import { createVariables, hasLiquidIn, variablesFor } from '../variables.ts';

function localeOf(contact: KnownContact | undefined): string | undefined {
  const { locale } = contact?.attributes ?? {};
  return typeof locale === 'string' && locale.length <= 35 ? locale : undefined;
}

/** The version that is frozen, otherwise the published one. @throws broadcast_invalid if there is none */
async function resolveTemplate(
  ctx: ReadContext,
  row: BroadcastRow,
  variant: Variant | undefined,
  locale: string | undefined,
): Promise<ResolvedTemplate> {
  const { templates } = ctx.services;
  if (frozenOf(row) !== null) return templates.resolveFrozen(ctx, mailOf(row, variant?.name ?? null).template, locale);
  const { subject, previewText, templateKey: key = row.template_key } = variant ?? {};
  if (key === null)
    throw errors.broadcast_invalid({ faults: 1, first: 'It has no template yet. Give its templateKey.' });
  try {
    return await templates.resolve(ctx, key, { drafts: false, locale, lines: { subject, previewText } });
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    throw errors.broadcast_invalid({ faults: 1, first: error.message });
  }
}

/** The variables for a contact. Without a contact: the values without Liquid, and examples of the template for the others. */
function variablesOf(
  ctx: ServiceContext,
  variables: BroadcastRow['variables'],
  template: ResolvedTemplate,
  { contact, now }: { readonly contact: KnownContact | undefined; readonly now: number },
): Readonly<Record<string, unknown>> {
  if (contact !== undefined) return createVariables(ctx, variables, now)(contact);
  const plain = Object.entries(variables).filter(([, value]) => !hasLiquidIn(value));
  return { ...template.previewVariables(), ...Object.fromEntries(plain) };
}

/** The mail for one reader. */
export interface ChosenMail {
  readonly template: ResolvedTemplate;
  /** Null: the default of the workspace. */
  readonly from: BroadcastRow['from'];
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The reader of the mail, and the variant of an experiment. */
interface Reader {
  readonly contactId: string | undefined;
  /** The name of a variant. Undefined: the mail without variants. */
  readonly variant: string | undefined;
}

/**
 * The template and the variables for the contact, or with examples if no contact is chosen.
 * @throws broadcast_invalid, contact_not_found, variables_invalid, and validation_failed for an unknown variant
 */
export async function mailFor(
  ctx: ReadContext,
  row: BroadcastRow,
  { contactId, variant: name }: Reader,
  now: number,
): Promise<ChosenMail> {
  const { contacts } = ctx.services;
  const variant = name === undefined ? undefined : requireVariant(row, name);
  const contact = contactId === undefined ? undefined : await contacts.find(ctx.trx, { id: contactId });
  const template = await resolveTemplate(ctx, row, variant, localeOf(contact));
  const variables = variablesFor(
    row.variables,
    (variableName) => variant === undefined || acceptsVariable(template, variableName),
  );
  return {
    template,
    from: variant?.from ?? row.from,
    variables: variablesOf(ctx, variables, template, { contact, now }),
  };
}
