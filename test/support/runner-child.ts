// Runs one test file as its own process group. Called by run.ts.
// Never leaves a process of that group behind: not on overrun, not when the file ends, not when the runner is stopped.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ChildOutcome } from './runner-summary.ts';

const loader = import.meta.resolve('tsx');
const running = new Set<number>();

/** Milliseconds that a process outside the group may hold the pipes open once the test file's process has ended. */
const graceMs = 2000;

/** Where and how a test file is run. */
export interface RunPlace {
  /** The working directory. */
  readonly root: string;
  /** The folder that has the test files as JavaScript; without one they run from the sources. */
  readonly compiled?: string | undefined;
}

/** Runs `file`, and kills its process group after `limitSeconds`. */
export function runTestFile(file: string, { root, compiled }: RunPlace, limitSeconds: number): Promise<ChildOutcome> {
  const program =
    compiled === undefined
      ? ['--import', loader, file]
      : ['--enable-source-maps', join(compiled, file.replace(/\.ts$/, '.js'))];
  return new Promise((resolve, reject) => {
    const { FORCE_COLOR: _ignored, ...environment } = process.env;
    const child = spawn(process.execPath, program, {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, NO_COLOR: '1' },
    });
    const { pid } = child;
    child.once('error', reject);
    if (pid === undefined) return;
    running.add(pid);

    const stdout: string[] = [];
    const output: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout.push(text);
      output.push(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));

    let overran: number | null = null;
    const limit = setTimeout(() => {
      overran = limitSeconds;
      killGroup(pid);
    }, limitSeconds * 1000);

    child.once('exit', (code, signal) => {
      clearTimeout(limit);
      killGroup(pid);
      running.delete(pid);
      const settle = () => resolve({ stdout: stdout.join(''), output: output.join(''), code, signal, overran });
      const grace = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
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
