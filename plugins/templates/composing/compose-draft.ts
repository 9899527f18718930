// Composes a template, from the brief to the stored draft. Used by templates.compose and by jobs of other plugins.
import { type OperationContext, type TransactionContext, z } from '../../../core/index.ts';
import { lineFault, validationFailed } from '../../../core/unstable.ts';
import type { BrandStyle, BrandsService } from '../../brand/index.ts';
import { languageOf } from '../../kit/brief-language.ts';
import { createDraft, type DraftContext } from '../authoring/create-draft.ts';
import { hasFormat } from '../contract/formats.ts';
import { errors } from '../errors.ts';
import { templateContent } from '../schema.ts';
import { productLimit } from '../starters/brand.ts';
import type { Starter, StarterContract } from '../starters/starter.ts';
import type { TemplateRow } from '../tables.ts';
import { announcement } from './announcement.ts';
import { composeTemplate, type TemplateComposeContext } from './compose.ts';
import type { ComposedMail } from './composer-reply.ts';
import { mailWords } from './words.ts';

/** The price of a composed template, in credits. */
export const composePrice = 5;

type Category = TemplateRow['category'];

/** The brief of a draft. */
export interface DraftBrief {
  readonly prompt: string;
  readonly name: string | undefined;
  readonly model?: string | undefined;
  readonly themeId?: string | null | undefined;
  readonly mode: 'mjml' | 'html';
  readonly shell: Starter;
  readonly includeHeroImage: boolean;
  /** (Default: the shell's category) */
  readonly category?: Category | undefined;
  /** The URL of the mail's button, unless a send gives another URL. (Default: the URL that a send gives) */
  readonly url?: string | undefined;
}

/** The brief of a campaign's mail. */
export interface CampaignBrief {
  readonly prompt: string;
  /** The URL that readers should visit. (Default: none) */
  readonly url?: string | undefined;
}

/** The composed draft, ready to be stored. */
export interface ComposedDraft {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly category: Category;
  readonly delivery: TemplateRow['delivery'];
  readonly composed: ComposedMail;
}

const isValidName = (name: string): boolean =>
  name !== '' && [...name].length <= productLimit && lineFault(name) === undefined;

/** The values that fill a shell. */
interface ShellDefaults {
  readonly product: string;
  readonly logoUrl?: string | undefined;
  /** The URL of the button. */
  readonly url?: string | undefined;
  /** The words on the button of the general shell. */
  readonly label: string;
}

/** Returns the contract of a shell with these defaults. */
function contractOf({ properties, ...contract }: StarterContract, { product, logoUrl, url, label }: ShellDefaults) {
  const { product: productNode, logo_url: logoNode, url: urlNode, button: buttonNode, ...others } = properties;
  const buttonLabel = buttonNode === undefined ? {} : { button: { ...buttonNode, default: label } };
  const button =
    urlNode === undefined
      ? {}
      : { url: url === undefined || !hasFormat('uri', url) ? urlNode : { ...urlNode, default: url } };
  const brand = {
    ...(productNode === undefined ? {} : { product: { ...productNode, default: product } }),
    ...(logoNode === undefined
      ? {}
      : { logo_url: logoUrl === undefined ? logoNode : { ...logoNode, default: logoUrl } }),
  };
  return { ...contract, properties: { ...others, ...button, ...buttonLabel, ...brand } };
}

/** Loads the brand and the theme in which the template is written. @throws theme_not_found */
async function loadStyle(ctx: TemplateComposeContext, themeId: string | null | undefined) {
  const brands: BrandsService | undefined = ctx.services.brands;
  return ctx.read(async ({ trx }) => {
    const theme = typeof themeId === 'string' ? await brands?.theme(trx, themeId) : undefined;
    if (typeof themeId === 'string' && theme === undefined) throw errors.theme_not_found({ id: themeId });
    const brand: BrandStyle | undefined = await brands?.style(trx, theme?.brandId);
    const logo = (theme?.logo ?? brand?.logos.light)?.url;
    // Not every logo URL of a brand is valid as the default in a contract.
    const logoUrl = logo !== undefined && hasFormat('uri', logo) ? logo : undefined;
    return { style: theme ?? brand, logoUrl, brand };
  });
}

/** @throws theme_not_found, compose_failed, provider_timeout, compiler_missing, compiler_busy */
export async function composeDraft(ctx: TemplateComposeContext, input: DraftBrief): Promise<ComposedDraft> {
  const { prompt, name, model, themeId, mode, shell, includeHeroImage } = input;
  const { style, logoUrl, brand } = await loadStyle(ctx, themeId);
  const product = [brand?.name ?? '', ctx.workspace.defaultFrom.name, ctx.workspace.name].find(isValidName) ?? 'Acme';
  const label = mailWords[languageOf(prompt) ?? 'en'].button;
  const variables = contractOf(shell.variables, { product, logoUrl, url: input.url, label });
  const category = input.category ?? shell.category;
  const voice = brand?.voice;
  const setting = { mode, category, product, voice, style, logoUrl, shell, variables, includeHeroImage };
  const composed = await composeTemplate(ctx, setting, { prompt, name, model });
  return { variables, category, delivery: shell.delivery, composed };
}

/** @throws key_taken, theme_not_found */
export async function storeComposed(
  context: DraftContext,
  { variables, category, delivery, composed }: ComposedDraft,
  input: Pick<DraftBrief, 'themeId' | 'mode' | 'name'> & { readonly key?: string | undefined },
): Promise<TemplateRow> {
  const { subject, previewText, body, text } = composed;
  const { key, themeId, mode } = input;
  const content = {
    category,
    delivery,
    mode,
    themeId,
    subject,
    previewText,
    body,
    text,
    name: input.name ?? composed.name,
  };
  const defaults = z.object(templateContent).parse({});
  return createDraft(context, { ...defaults, ...content, key, variables });
}

/** `ctx.services.templateDrafts`. */
export interface TemplateDraftsService {
  /** The price of a composed template, in credits. The caller charges it. */
  readonly composePrice: number;
  /**
   * Writes the mail of a campaign from a brief, outside any transaction. The result is a marketing mail in MJML with
   * one message and, if `url` is given, a button that links to it.
   * @throws compose_failed, provider_timeout, compiler_missing, compiler_busy
   */
  composeCampaign(context: TemplateComposeContext, brief: CampaignBrief): Promise<ComposedDraft>;
  /** Stores the composed draft. @throws key_taken */
  store(
    ctx: TransactionContext,
    composed: ComposedDraft,
    names: { readonly name: string; readonly key?: string },
  ): Promise<TemplateRow>;
}

const refuse: OperationContext['refuse'] = (details) => {
  if (details.length > 0) throw validationFailed(details);
};

export const createTemplateDrafts = (): TemplateDraftsService => ({
  composePrice,
  composeCampaign: (place, brief) =>
    composeDraft(place, {
      ...brief,
      ...{ name: undefined, mode: 'mjml', category: 'marketing', shell: announcement, includeHeroImage: false },
    }),
  store: (ctx, composed, { name, key }) => storeComposed({ ...ctx, refuse }, composed, { mode: 'mjml', name, key }),
});
