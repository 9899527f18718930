import { coreErrors, defineOperationWithPrepare, type PrepareContext, z } from '../../../core/index.ts';
import { creditPools, creditsExhausted } from '../../../core/unstable.ts';
import { keyTaken } from '../authoring/create-draft.ts';
import { chooseCategory } from '../composing/category.ts';
import { composeDraft, composePrice, storeComposed } from '../composing/compose-draft.ts';
import { chooseShell, findShell, shellIds } from '../composing/shell.ts';
import { presentTemplate } from '../present.ts';
import { composeBody, templateResource } from '../schema.ts';
import { findTemplateHead } from '../store.ts';
import { testedElsewhere } from './fixture-errors.ts';
import { foreignParts, someTemplate } from './fixture-rows.ts';

type Body = z.output<typeof composeBody>;

/** @throws validation_failed */
function shellOf({ starterShellId: id, prompt }: Body) {
  const shell = id === undefined ? chooseShell(prompt) : findShell(id);
  if (shell !== undefined) return shell;
  const message = `There is no shell ${id}. Available: ${shellIds.join(', ')}.`;
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

/** Checks the key and the credits before a model is asked. @throws key_taken, credits_exhausted, leash_exceeded */
async function checkKeyAndCredits(ctx: PrepareContext, key: string | undefined): Promise<void> {
  await ctx.checkLeash(composePrice);
  await ctx.read(async ({ trx }) => {
    if (key !== undefined && (await findTemplateHead(trx, key)) !== undefined) throw keyTaken(key);
    if (ctx.sandbox) return;
    const { month, granted } = await creditPools(trx, ctx.workspace, ctx.now);
    if (month + granted < composePrice) throw creditsExhausted(ctx.workspace, composePrice, month + granted, ctx.now);
  });
}

export const composeTemplate = defineOperationWithPrepare({
  id: 'templates.compose',
  summary: 'Compose a template',
  description: `Writes a draft from a brief, in the style of the theme or of the default brand, and checks it like any authored template. The variables come from the shell that fits the brief, or that starterShellId names (${shellIds.join(', ')}): a brief cannot add variables. A newsletter, an offer or a launch is marketing mail; a brief that fits no starter needs category. Without a model, replace the placeholders before you publish. Costs ${composePrice} credits; a failed call costs nothing.`,
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
        themeId: (await foreignParts(kit)).themeId,
        starterShellId: 'skipped: the shells come with the service',
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
      compiler_missing: testedElsewhere.compiler_missing,
      compiler_busy: testedElsewhere.compiler_busy,
    },
  }),

  async prepare(ctx, { body }) {
    const { prompt, name, model, themeId, mode, includeHeroImage } = body;
    const composer = await ctx.ports.composer.of(ctx.workspace.id);
    checkModel(model, composer.models);
    const isShellGiven = body.starterShellId !== undefined;
    const choice = chooseCategory({ prompt, category: body.category, isShellGiven, shell: shellOf(body) });
    await checkKeyAndCredits(ctx, body.key);
    return composeDraft(ctx, { prompt, name, model, themeId, mode, includeHeroImage, ...choice });
  },

  async handler(ctx, { body: { key, themeId, mode, name } }, composed) {
    await ctx.charge(composePrice, 'compose template');
    return { data: presentTemplate(await storeComposed(ctx, composed, { key, themeId, mode, name })) };
  },
});
