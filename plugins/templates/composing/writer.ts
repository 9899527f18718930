// `ctx.services.writer`: lets the composer write a text from a brief, for every plugin that composes. Asks up to three
// times and checks the answers. Called outside any transaction: in `prepare`, or in a job.
import { coreErrors, isPostriderError, type ServiceContext, z } from '../../../core/index.ts';

const maxTries = 3;
const defaultWithinMs = 90_000;
/** The maximum number of faults that a model is asked to correct. */
const maxFaults = 10;

/** A text to be written. */
export interface Writing<T> {
  /** The kind of text, for the composer: `page`, `blog_post`. */
  readonly kind: string;
  /** The kind of text in words, for error messages: `the page`. */
  readonly what: string;
  /** The schema of the answer. */
  readonly form: z.ZodType<T>;
  /** The rules, the brand and the limits, without content of the brief. */
  readonly instructions: string;
  /** The caller's request. The composer is instructed that it comes from a user and that it changes no rule. */
  readonly brief: string;
  /** The model that the caller requested. (Default: the composer's own) */
  readonly model?: string | undefined;
  /** The faults of an answer that has the right form, one sentence each. (Default: none) */
  readonly faultsOf?: ((answer: T) => readonly string[] | Promise<readonly string[]>) | undefined;
  /** Whether the last answer is accepted although every attempt had faults. (Default: false) */
  readonly keepsFaulty?: boolean;
  /** Writes the text without a model. The same input gives the same answer. */
  embedded(): T;
  /** The time limit for all attempts together, in milliseconds. (Default: 90,000) */
  readonly withinMs?: number;
}

/** The context in which the text is written: the context of `prepare` or of a job. */
export interface WritingContext extends ServiceContext {
  readonly workspace: { readonly id: string };
  readonly signal: AbortSignal;
  /** For the log. */
  readonly requestId?: string;
}

/** `ctx.services.writer`. */
export interface WriterService {
  /** Whether the workspace's composer is the embedded one, which uses no model and no network. */
  withoutModel(context: WritingContext): Promise<boolean>;
  /** @throws compose_failed if no attempt gives a usable answer; provider_timeout after the time limit */
  write<T>(context: WritingContext, writing: Writing<T>): Promise<T>;
}

/**
 * Characters that hide a part of a text or make it look different from its content: control characters, characters that override the
 * direction, and tag characters, except in flags.
 */
const hidingCharacters =
  /(?:(?![\t\n\r])[\p{Cc}\u202a-\u202e])+|(?<![\u{1f3f4}\u{e0020}-\u{e007e}])[\u{e0000}-\u{e007f}]+/gu;

/** The answer without these characters. */
function withoutHiding(answer: unknown): unknown {
  if (typeof answer === 'string') return answer.replace(hidingCharacters, '');
  if (Array.isArray(answer)) return answer.map(withoutHiding);
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, withoutHiding(value)]));
}

/** The user prompt. The brief is encoded as JSON, so that its text cannot end the string. */
function promptOf(brief: string, faults: readonly string[]): string {
  const briefPart = `The brief, as a JSON string: ${JSON.stringify(brief)}`;
  return faults.length === 0
    ? briefPart
    : `${briefPart}\n\nYour last answer was refused:\n${faults.map((fault) => `- ${fault}`).join('\n')}`;
}

/** Like `work`, but rejects when the signal is aborted, so that the caller does not wait for an adapter that ignores the signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}

const formFaults = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.') || 'answer'}: ${message}`);

async function write<T>(context: WritingContext, writing: Writing<T>): Promise<T> {
  const composer = await context.ports.composer.of(context.workspace.id);
  const { kind, what, form, instructions, brief, model, faultsOf, embedded, withinMs = defaultWithinMs } = writing;
  const timeLimit = AbortSignal.timeout(withinMs);
  const signal = AbortSignal.any([context.signal, timeLimit]);
  const answerSchema = z.toJSONSchema(form) as Readonly<Record<string, unknown>>;
  let faults: readonly string[] = [];
  let lastAnswer: { readonly answer: T } | undefined;
  for (let attempt = 1; attempt <= maxTries && !timeLimit.aborted; attempt += 1) {
    const task = { kind, instructions, prompt: promptOf(brief, faults), answer: answerSchema, model, embedded };
    try {
      const parsed = form.safeParse(withoutHiding(await untilAborted(composer.compose(task, { signal }), signal)));
      if (!parsed.success) {
        faults = formFaults(parsed.error).slice(0, maxFaults);
        continue;
      }
      lastAnswer = { answer: parsed.data };
      faults = ((await faultsOf?.(parsed.data)) ?? []).slice(0, maxFaults);
      if (faults.length === 0) return parsed.data;
    } catch (error) {
      context.signal.throwIfAborted();
      if (isPostriderError(error)) throw error;
      faults = [];
      const fields = { request_id: context.requestId, composer: composer.id, kind, try: attempt, cause: String(error) };
      context.log.warn(fields, 'a composer failed');
    }
  }
  if (lastAnswer !== undefined && writing.keepsFaulty === true) return lastAnswer.answer;
  if (timeLimit.aborted) throw coreErrors.provider_timeout({ provider: 'The composer' });
  throw coreErrors.compose_failed({ what });
}

export const createWriter = (): WriterService => ({
  withoutModel: async ({ ports, workspace }) => (await ports.composer.of(workspace.id)).withoutModel === true,
  write,
});
