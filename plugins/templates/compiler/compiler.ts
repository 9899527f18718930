// Compiles templates in separate threads, so that compiling does not block the service. Each service and each command creates
// its own compiler, and stops it. The threads start with the first template.
import { errors } from '../errors.ts';
import type { CompiledMailResult, CompileStep, MailSource } from '../language/compile.ts';
import type { CompileThread, ThreadOptions } from './compile-thread.ts';
import { IDLE_SECONDS, STEP_SECONDS, THREAD_MEGABYTES } from './limits.ts';
import { ThreadPool } from './thread-pool.ts';

/** The workspace of the template, and the signal that ends the caller's wait. */
export interface CompileCaller {
  readonly workspace: { readonly id: string };
  readonly signal: AbortSignal | undefined;
}

/** `ctx.services.templateCompiler`. */
export interface TemplateCompiler {
  /**
   * Compiles mails that belong to one template and returns one result each. After a mail that costs too much, the remaining mails
   * are left out.
   * @throws compiler_missing; compiler_busy; the signal's reason
   */
  compile(caller: CompileCaller, mails: readonly MailSource[]): Promise<readonly CompiledMailResult[]>;
  /** Ends the threads. Current work fails with compiler_busy; a later call starts the threads again. */
  stop(): Promise<void>;
}

const stepDescriptions: Readonly<Record<Exclude<CompileStep, 'loading'>, string>> = {
  reading: 'reading its Liquid and its markup',
  mjml: 'compiling its MJML and inlining its styles',
  inlining: 'inlining its CSS',
  text: 'deriving its text part',
};

const selectors =
  'Use fewer elements, and shorter selectors: each further part of one, after a space, `>`, `+` or `~`, multiplies the work.';

const advice: typeof stepDescriptions = {
  reading: 'Use fewer tags and elements.',
  mjml: selectors,
  inlining: selectors,
  text: 'Give the template a text part of its own, or use fewer elements.',
};

function tooExpensiveResult(limit: 'time' | 'memory', step: CompileStep, seconds: number): CompiledMailResult {
  // A thread that runs out of memory has loaded its packages, so the last step was a later one.
  const stepName = step === 'loading' ? 'reading' : step;
  const more = limit === 'time' ? `longer than ${seconds} s` : `more than ${THREAD_MEGABYTES} MB of memory`;
  const message = `This is too expensive to compile: ${stepDescriptions[stepName]} took ${more}. ${advice[stepName]}`;
  return { ok: false, faults: [{ path: 'body', code: 'too_expensive', message }] };
}

/** Creates a compiler. `file` is the location of the thread's program. The other options are for tests. */
export function createTemplateCompiler(options: Partial<ThreadOptions> = {}): TemplateCompiler {
  const { file, stepSeconds = STEP_SECONDS, idleSeconds = IDLE_SECONDS } = options;
  const pool = new ThreadPool({ file, stepSeconds, idleSeconds });

  const compileOne = async (thread: CompileThread, mail: MailSource, fresh: boolean) => {
    const result = await thread.compile(mail, fresh);
    switch (result.kind) {
      case 'compiled':
        return result.result;
      case 'exhausted':
        return tooExpensiveResult(result.limit, result.step, stepSeconds);
      case 'package_missing':
        throw errors.compiler_missing({ kind: 'package', name: result.name });
      case 'program_missing':
        throw errors.compiler_missing({ kind: 'file', name: 'compile-worker.js' });
      case 'stopped':
        throw errors.compiler_busy();
      case 'failed':
        throw new Error(`The compiler of templates failed: ${result.message}`);
    }
  };

  return {
    compile: ({ workspace, signal }, mails) =>
      pool.use(workspace.id, signal, async (thread) => {
        const results: CompiledMailResult[] = [];
        for (const mail of mails) {
          signal?.throwIfAborted();
          const result = await compileOne(thread, mail, results.length === 0);
          results.push(result);
          if (!result.ok && result.faults.some(({ code }) => code === 'too_expensive')) break;
        }
        return results;
      }),
    stop: () => pool.stop(),
  };
}
