// Composes a template: the writer asks the composer, and the answer is checked like any authored template. Called
// outside any transaction.
import type { PrepareContext } from '../../../core/index.ts';
import { type ComposedMail, composeFailed, replyFaults, replySchema } from './composer-reply.ts';
import { composeEmbedded } from './embedded.ts';
import { instructionsOf, type MailComposeInput } from './instructions.ts';

/** The time limit for all attempts together. It is less than the limit of the call. */
const withinMs = 240_000;

/** The context in which the template is written: the context of `prepare`, or of a job. */
export type TemplateComposeContext = Pick<
  PrepareContext,
  'services' | 'ports' | 'log' | 'workspace' | 'signal' | 'read'
> &
  Partial<Pick<PrepareContext, 'dryRun' | 'requestId'>>;

/** The caller's request. */
export interface TemplateBrief {
  readonly prompt: string;
  readonly name: string | undefined;
  readonly model: string | undefined;
}

/** @throws compose_failed; provider_timeout; compiler_missing; compiler_busy */
export async function composeTemplate(
  ctx: TemplateComposeContext,
  setting: MailComposeInput,
  { prompt: brief, name, model }: TemplateBrief,
): Promise<ComposedMail> {
  const { mode, shell, style, includeHeroImage, variables } = setting;
  const isLinked = variables.properties['url']?.default !== undefined;
  const isMarketing = setting.category === 'marketing';
  const embedded = () => composeEmbedded({ brief, name, mode, shell, style, includeHeroImage, isLinked, isMarketing });
  const faultsOf = (answer: ComposedMail) => replyFaults(ctx, answer, setting);
  if (ctx.dryRun === true) {
    // A dry run asks no model.
    const answer = embedded();
    if ((await faultsOf(answer)).length > 0) throw composeFailed();
    return answer;
  }
  return ctx.services.writer.write(ctx, {
    kind: 'template',
    what: 'the template',
    form: replySchema,
    instructions: instructionsOf(setting),
    ...{ brief, model, faultsOf, embedded, withinMs },
  });
}
