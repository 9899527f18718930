// One call of a program as a child process, with a user's environment. Used by cli-bench.ts, which calls the sources,
// and by test/package/runtimes.test.ts, which calls the package.
import { type ChildProcess, spawn } from 'node:child_process';

const loader = import.meta.resolve('tsx');

/** The result of a call. */
export interface ProgramCallResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The options of a call. */
export interface ProgramCallOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The program that runs the call. (Default: this Node) */
  readonly runtime?: string;
}

/** A user's environment, without variables of the test runner. */
function environment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { NO_COLOR: _colour, CI: _ci, PORT: _port, NODE_ENV: _env, DEBUG: _debug, ...rest } = process.env;
  return { ...rest, ...extra };
}

/** A running call of the program in the file `main`. */
export class ProgramCall {
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramCallResult>;
  stdout = '';
  stderr = '';

  constructor(
    cwd: string,
    words: readonly string[],
    { env, input, runtime = process.execPath }: ProgramCallOptions,
    main: string,
  ) {
    const flags = main.endsWith('.ts') ? ['--import', loader] : [];
    this.child = spawn(runtime, [...flags, main, ...words], {
      cwd,
      env: environment(env),
      stdio: 'pipe',
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.child.stdin?.on('error', () => undefined);
    this.child.stdin?.end(input ?? '');
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code, signal) => resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  /** Resolves once the output matches the pattern. @throws if the call ends before that */
  async printed(pattern: RegExp): Promise<string> {
    let hasEnded = false;
    void this.ended.finally(() => {
      hasEnded = true;
    });
    for (;;) {
      const match = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
      if (match !== null) return match[1] ?? match[0];
      if (hasEnded) throw new Error(`The call ended without ${pattern}:\n${this.stdout}\n${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Asks the call to end, and returns its result. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<ProgramCallResult> {
    this.child.kill(signal);
    return this.ended;
  }
}
