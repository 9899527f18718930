// Runs test files in their own process group: one file, or several in one process. Called by runner.ts.
// Never leaves a process of that group behind: not after a timeout, not when the file ends, not when the runner is stopped.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChildResult, endsInFailure } from './runner-summary.ts';

const loader = import.meta.resolve('tsx');
const sourceMaps = '--enable-source-maps';
const groupSource = fileURLToPath(new URL('group-process.ts', import.meta.url));
const running = new Set<number>();

/** The program of a group, which runner.ts compiles beside the test files. */
export const groupProgram = 'test/support/group-process.ts';

/** Milliseconds that a process outside the group may keep the pipes open after the test file's process has ended. */
const graceMs = 2000;

/**
 * Milliseconds without output that a file gets after a summary with failures. A hook that failed often leaves something open, which
 * would keep the process alive until its time limit.
 */
const failedSilenceMs = 3000;
/** The end of the output that can contain the last summary, in characters. */
const tailLength = 2000;

/** The settings for running a test file. */
export interface TestRunEnvironment {
  /** The working directory. */
  readonly root: string;
  /** The folder with the test files as JavaScript. (Default: they run from the sources) */
  readonly compiled?: string | undefined;
  /** Environment variables in addition to the runner's own. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs `file`, and kills its process group after `limitSeconds`. */
export function runTestFile(file: string, environment: TestRunEnvironment, limitSeconds: number): Promise<ChildResult> {
  const program =
    environment.compiled === undefined ? ['--import', loader, file] : [sourceMaps, programOf(file, environment)];
  return runProgram(program, environment, limitSeconds, ['ignore', 'pipe', 'pipe']);
}

/** Runs `files` one after another in one process (test/support/group-process.ts), each for at most `limitSeconds`. */
export function runTestGroup(
  files: readonly string[],
  environment: TestRunEnvironment,
  limitSeconds: number,
): Promise<ChildResult> {
  const group = environment.compiled === undefined ? groupSource : programOf(groupProgram, environment);
  const program = [...(environment.compiled === undefined ? ['--import', loader] : [sourceMaps]), group];
  const paths = files.map((file) => programOf(file, environment));
  return runProgram([...program, ...paths], environment, limitSeconds, ['ignore', 'pipe', 'pipe', 'ipc']);
}

function programOf(file: string, { root, compiled }: TestRunEnvironment): string {
  return compiled === undefined ? join(root, file) : join(compiled, file.replace(/\.ts$/, '.js'));
}

function runProgram(
  program: readonly string[],
  settings: TestRunEnvironment,
  limitSeconds: number,
  stdio: ('ignore' | 'pipe' | 'ipc')[],
): Promise<ChildResult> {
  return new Promise((resolve, reject) => {
    const { FORCE_COLOR: _ignored, ...environment } = process.env;
    const child = spawn(process.execPath, program, {
      cwd: settings.root,
      detached: true,
      stdio,
      env: { ...environment, ...settings.environment, NO_COLOR: '1' },
    });
    const { pid, stdout: out, stderr: err } = child;
    child.once('error', reject);
    if (pid === undefined || out === null || err === null) return;
    running.add(pid);

    const stdout: string[] = [];
    const output: string[] = [];
    let tail = '';
    let failed: NodeJS.Timeout | undefined;
    const noteEnd = (text: string): void => {
      tail = `${tail}${text}`.slice(-tailLength);
      clearTimeout(failed);
      if (endsInFailure(tail)) failed = setTimeout(() => killGroup(pid), failedSilenceMs);
    };
    out.setEncoding('utf8').on('data', (text: string) => {
      stdout.push(text);
      output.push(text);
      noteEnd(text);
    });
    err.setEncoding('utf8').on('data', (text: string) => output.push(text));

    let overran: number | null = null;
    const limit = setTimeout(() => {
      overran = limitSeconds;
      killGroup(pid);
    }, limitSeconds * 1000);
    // A group sends a message when it continues with its next file.
    child.on('message', () => {
      limit.refresh();
      clearTimeout(failed);
      tail = '';
    });

    child.once('exit', (code, signal) => {
      clearTimeout(limit);
      clearTimeout(failed);
      killGroup(pid);
      running.delete(pid);
      const settle = () => resolve({ stdout: stdout.join(''), output: output.join(''), code, signal, overran });
      const grace = setTimeout(() => {
        out.destroy();
        err.destroy();
        settle();
      }, graceMs);
      child.once('close', () => {
        clearTimeout(grace);
        settle();
      });
    });
  });
}

/** Kills every test file that is still running. Called when the runner itself is stopped. */
export function killRunning(): void {
  for (const pid of running) killGroup(pid);
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
