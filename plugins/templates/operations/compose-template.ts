import type { PrepareContext } from '../../../core/index.ts';
import { coreErrors, definePreparedOperation, z } from '../../../core/index.ts';
import { creditPools, creditsExhausted, lineFault } from '../../../core/unstable.ts';
import type { BrandLook, BrandsService } from '../../brand/index.ts';
import { composeTemplate as compose } from '../composing/compose.ts';
import { chooseShell, findShell, shellIds } from '../composing/shell.ts';
import { hasFormat } from '../contract/formats.ts';
import { errors } from '../errors.ts';
import { createDraft, keyTaken } from '../new-template.ts';
import { presentTemplate } from '../present.ts';
import { composeBody, templateContent, templateResource } from '../schema.ts';
import { productLimit } from '../starters/brand.ts';
import type { StarterContract } from '../starters/starter.ts';
import { findTemplateHead } from '../store.ts';
import { shownElsewhere } from './fixture-errors.ts';
import { foreignLook, someTemplate } from './fixture-rows.ts';

/** What a composed template costs, in credits. */
const price = 5;

type Body = z.output<typeof composeBody>;

const fits = (name: string): boolean =>
  name !== '' && [...name].length <= productLimit && lineFault(name) === undefined;

/** The contract of a shell with the brand's name and logo as defaults. */
function contractOf({ properties, ...contract }: StarterContract, product: string, logoUrl: string | undefined) {
  const { product: named, logo_url: logo, ...others } = properties;
  const brand = {
    ...(named === undefined ? {} : { product: { ...named, default: product } }),
    ...(logo === undefined ? {} : { logo_url: logoUrl === undefined ? logo : { ...logo, default: logoUrl } }),
  };
  return { ...contract, properties: { ...others, ...brand } };
}

/** The brand and the theme that the template is written in. @throws theme_not_found */
async function look(ctx: PrepareContext, themeId: string | null | undefined) {
  const brands: BrandsService | undefined = ctx.services.brands;
  return ctx.read(async (handle) => {
    const theme = typeof themeId === 'string' ? await brands?.theme(handle, themeId) : undefined;
    if (typeof themeId === 'string' && theme === undefined) throw errors.theme_not_found({ id: themeId });
    const brand: BrandLook | undefined = await brands?.look(handle, theme?.brandId);
    const logo = (theme?.logo ?? brand?.logos.light)?.url;
    // A brand takes URLs that a contract does not take as a default.
    const logoUrl = logo !== undefined && hasFormat('uri', logo) ? logo : undefined;
    return { style: theme ?? brand, logoUrl, brand };
  });
}

/** @throws validation_failed */
function shellOf({ starterShellId: id, prompt }: Body) {
  const shell = id === undefined ? chooseShell(prompt) : findShell(id);
  if (shell !== undefined) return shell;
  const message = `There is no shell ${id}. There are ${shellIds.join(', ')}.`;
  throw coreErrors.validation_failed(
    { summary: `starterShellId: ${message}` },
    { details: [{ path: 'starterShellId', code: 'unknown', message }] },
  );
}

/** @throws validation_failed */
function checkModel(model: string | undefined, models: readonly string[] | undefined): void {
  if (model === undefined || models === undefined || models.includes(model)) return;
  const message = `This service has no model ${model}. It has ${models.join(', ')}.`;
  throw coreErrors.validation_failed(
    { summary: `model: ${message}` },
    { details: [{ path: 'model', code: 'unknown', message }] },
  );
}

/** What can be known before a model is asked. @throws key_taken, credits_exhausted */
async function checkFirst(ctx: PrepareContext, key: string | undefined): Promise<void> {
  await ctx.read(async (handle) => {
    if (key !== undefined && (await findTemplateHead(handle, key)) !== undefined) throw keyTaken(key);
    if (ctx.sandbox) return;
    const { month, granted } = await creditPools(handle, ctx.workspace, ctx.now);
    if (month + granted < price) throw creditsExhausted(ctx.workspace, price, month + granted, ctx.now);
  });
}

export const composeTemplate = definePreparedOperation({
  id: 'templates.compose',
  summary: 'Compose a template',
  description: `Writes a draft from a brief, in the style of the theme or of the default brand, and checks it like any authored template. The variables are those of the shell that the brief calls for, or that starterShellId names (${shellIds.join(', ')}): a brief adds none. Category and delivery are the shell's, too: a login code is a system mail that is sent at most once. Without a model the brief stands in for the copy: rewrite it before you publish. Costs ${price} credits; what could not be written costs nothing.`,
  http: 'POST /v1/templates/compose',
  tool: 'compose_template',
  scopes: ['templates:write'],
  idempotency: 'recorded',
  timeoutSeconds: 300,
  input: { body: composeBody },
  output: z.object({ data: templateResource }),
  status: 201,
  errors: [
    'key_taken',
    'theme_not_found',
    'compose_failed',
    'provider_timeout',
    'credits_exhausted',
    'compiler_missing',
    'compiler_busy',
  ],
  emits: ['budget.reached'],
  audit: { action: 'template.compose', target: ({ data }) => ({ kind: 'template', id: data.id }) },
  fixture: async (kit) => ({
    body: {
      key: kit.unique('composed').toLowerCase(),
      prompt: 'A welcome mail for people who opened an account. Short and warm.',
    },
    foreign: {
      body: {
        themeId: (await foreignLook(kit)).themeId,
        starterShellId: 'none: the shells come with the service',
      },
    },
    errors: {
      key_taken: async () => ({ body: { prompt: 'A welcome mail.', key: await someTemplate(kit) } }),
      theme_not_found: async () => ({
        body: { prompt: 'A welcome mail.', themeId: 'thm_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
      }),
      compose_failed: 'unreachable here: shown in test/plugins/templates-composing.test.ts',
      provider_timeout: 'unreachable here: shown in test/plugins/social-posts-composing.test.ts',
      credits_exhausted: 'unreachable here: shown in test/plugins/templates-composing.test.ts',
      compiler_missing: shownElsewhere.compiler_missing,
      compiler_busy: shownElsewhere.compiler_busy,
    },
  }),

  async prepare(ctx, { body }) {
    const { prompt, name, model, themeId, mode, includeHeroImage } = body;
    const composer = await ctx.ports.composer.of(ctx.workspace.id);
    checkModel(model, composer.models);
    const shell = shellOf(body);
    await checkFirst(ctx, body.key);
    const { style, logoUrl, brand } = await look(ctx, themeId);
    const product = [brand?.name ?? '', ctx.workspace.defaultFrom.name, ctx.workspace.name].find(fits) ?? 'Acme';
    const variables = contractOf(shell.variables, product, logoUrl);
    const voice = brand?.voice;
    const category = body.category ?? shell.category;
    const setting = { mode, category, product, voice, style, logoUrl, shell, variables, includeHeroImage };
    const { delivery } = shell;
    return { variables, category, delivery, composed: await compose(ctx, setting, { prompt, name, model }) };
  },

  async handler(ctx, { body }, { composed, variables, category, delivery }) {
    await ctx.charge(price, 'compose template');
    const { key, themeId, mode, name } = body;
    const { subject, previewText, body: source, text } = composed;
    const content = {
      category,
      delivery,
      mode,
      themeId,
      subject,
      previewText,
      body: source,
      text,
      name: name ?? composed.name,
    };
    const defaults = z.object(templateContent).parse({});
    return { data: presentTemplate(await createDraft(ctx, { ...defaults, ...content, key, variables })) };
  },
});
