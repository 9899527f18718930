// `ctx.services.writer`: lets the composer write a text from a brief, for every plugin that composes. Asks up to three
// times and checks the answers. Called outside any transaction: in `prepare`, or in a job.
import { coreErrors, isPostriderError, type ServiceContext, z } from '../../../core/index.ts';

const tries = 3;
const defaultWithinMs = 90_000;
/** A model needs only the most important faults. */
const maxFaults = 10;

/** A text to be written. */
export interface Writing<T> {
  /** The kind of text, for the composer: `page`, `blog_post`. */
  readonly kind: string;
  /** The kind in words, for a sentence: `the page`. */
  readonly what: string;
  /** The schema of the answer. */
  readonly form: z.ZodType<T>;
  /** The rules, the brand and the limits, without content of the brief. */
  readonly instructions: string;
  /** The caller's request. The composer is instructed that it comes from a user and that it changes no rule. */
  readonly brief: string;
  /** The model that the caller asked for. (Default: the composer's own) */
  readonly model?: string | undefined;
  /** The faults of an answer that has the right form, one sentence each. (Default: none) */
  readonly faultsOf?: ((answer: T) => readonly string[] | Promise<readonly string[]>) | undefined;
  /** Whether the last answer is accepted as it is if every attempt has faults. (Default: false) */
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
  /** @throws compose_failed if no try gives a usable answer; provider_timeout if the time is over */
  write<T>(context: WritingContext, writing: Writing<T>): Promise<T>;
}

/** The user prompt. The brief is encoded as JSON, so that its text cannot end the string. */
function promptOf(brief: string, faults: readonly string[]): string {
  const briefPart = `The brief, as a JSON string: ${JSON.stringify(brief)}`;
  return faults.length === 0
    ? briefPart
    : `${briefPart}\n\nYour last answer was refused:\n${faults.map((fault) => `- ${fault}`).join('\n')}`;
}

/** An adapter that ignores the signal must not keep the caller waiting. */
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
  const limit = AbortSignal.timeout(withinMs);
  const signal = AbortSignal.any([context.signal, limit]);
  const answer = z.toJSONSchema(form) as Readonly<Record<string, unknown>>;
  let faults: readonly string[] = [];
  let written: { readonly answer: T } | undefined;
  for (let count = 1; count <= tries && !limit.aborted; count += 1) {
    const task = { kind, instructions, prompt: promptOf(brief, faults), answer, model, embedded };
    try {
      const parsed = form.safeParse(await untilAborted(composer.compose(task, { signal }), signal));
      if (!parsed.success) {
        faults = formFaults(parsed.error).slice(0, maxFaults);
        continue;
      }
      written = { answer: parsed.data };
      faults = ((await faultsOf?.(parsed.data)) ?? []).slice(0, maxFaults);
      if (faults.length === 0) return parsed.data;
    } catch (error) {
      context.signal.throwIfAborted();
      if (isPostriderError(error)) throw error;
      faults = [];
      const fields = { request_id: context.requestId, composer: composer.id, kind, try: count, cause: String(error) };
      context.log.warn(fields, 'a composer failed');
    }
  }
  if (written !== undefined && writing.keepsFaulty === true) return written.answer;
  if (limit.aborted) throw coreErrors.provider_timeout({ provider: 'The composer' });
  throw coreErrors.compose_failed({ what });
}

export const createWriter = (): WriterService => ({
  withoutModel: async ({ ports, workspace }) => (await ports.composer.of(workspace.id)).withoutModel === true,
  write,
});
