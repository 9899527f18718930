// Composes a template: asks the composer up to three times, and checks what comes back. Called outside any transaction.
import type { PrepareContext } from '../../../core/index.ts';
import { isPostriderError, z } from '../../../core/index.ts';
import type { ComposerAdapter } from '../port/index.ts';
import type { Composed } from './composed.ts';
import { checkAnswer, composedSchema, composeFailed } from './composed.ts';
import { composeEmbedded } from './embedded.ts';
import type { Setting } from './instructions.ts';
import { instructionsOf, promptOf } from './instructions.ts';

const tries = 3;
/** For each of them. */
const tryMs = 80_000;

/** What the caller asked for. */
export interface Brief {
  readonly prompt: string;
  readonly name: string | undefined;
  readonly model: string | undefined;
}

/** @throws compose_failed; compiler_missing; compiler_busy */
export async function composeTemplate(
  ctx: PrepareContext,
  composer: ComposerAdapter,
  setting: Setting,
  { prompt: brief, name, model }: Brief,
): Promise<Composed> {
  const { mode, shell, style, includeHeroImage } = setting;
  const embedded = () => composeEmbedded({ brief, name, mode, shell, style, includeHeroImage });
  const answerSchema = z.toJSONSchema(composedSchema) as Readonly<Record<string, unknown>>;
  const instructions = instructionsOf(setting);
  let faults: readonly string[] = [];
  for (let count = 1; count <= tries; count += 1) {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(tryMs)]);
    const task = {
      kind: 'template',
      instructions,
      prompt: promptOf(brief, faults),
      answer: answerSchema,
      model,
      embedded,
    };
    try {
      // A dry run asks no model.
      const answer: unknown = ctx.dryRun ? embedded() : await composer.compose(task, { signal });
      const checked = await checkAnswer(ctx, answer, setting);
      if (checked.ok) return checked.composed;
      faults = checked.faults;
    } catch (error) {
      ctx.signal.throwIfAborted();
      if (isPostriderError(error)) throw error;
      faults = [];
      ctx.log.warn(
        { request_id: ctx.requestId, composer: composer.id, try: count, cause: String(error) },
        'a composer failed',
      );
    }
  }
  throw composeFailed();
}
