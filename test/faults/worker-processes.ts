// Starts several processes on one database, kills them or stops them cleanly, and collects their logs.
// Called by the tests of many processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiledSources } from '../support/compiled.ts';
import type { ManyPlan } from './many-plan.ts';

const script = join(await compiledSources(), 'test/faults/many-process.js');

/** The processes of one run. */
export class WorkerProcesses {
  readonly #plan: ManyPlan;
  readonly #loaded: ChildProcess[] = [];
  readonly #alive = new Map<number, ChildProcess>();
  #logged = '';
  #kills = 0;

  constructor(plan: ManyPlan) {
    this.#plan = plan;
  }

  /** The processes that were neither killed nor stopped. */
  get pids(): readonly number[] {
    return [...this.#alive.keys()];
  }

  get kills(): number {
    return this.#kills;
  }

  /** Their log lines, with the level. */
  get log(): readonly { readonly level: string; readonly msg: string }[] {
    return this.#logged
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: string; msg: string });
  }

  /** Their output on stderr that is not a log line, such as an unhandled exception. */
  get noise(): readonly string[] {
    return this.#logged.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  }

  /** Loads `count` processes, so that start() takes only a moment. @throws if one ends before it is loaded */
  async load(count: number): Promise<void> {
    this.#loaded.push(...(await Promise.all(Array.from({ length: count }, () => this.#loadOne()))));
  }

  /** Resolves when `count` more processes work; uses loaded processes first. @throws if one ends before it works */
  async start(count: number): Promise<void> {
    await this.load(Math.max(0, count - this.#loaded.length));
    await Promise.all(this.#loaded.splice(0, count).map((child) => this.#begin(child)));
  }

  /** Sends SIGKILL. Resolves when the process has ended. */
  async kill(pid: number): Promise<void> {
    const child = this.#alive.get(pid);
    if (child === undefined) throw new Error(`The process ${pid} is not alive.`);
    this.#alive.delete(pid);
    this.#kills += 1;
    const dead = once(child, 'close');
    child.kill('SIGKILL');
    await dead;
  }

  /** Sends SIGTERM to all remaining processes. Returns their exit codes: 0 for an orderly end. */
  async stop(): Promise<(number | string)[]> {
    const children = [...this.#alive.values()];
    this.#alive.clear();
    for (const child of this.#loaded.splice(0)) child.kill('SIGKILL');
    return Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null) return child.exitCode;
        const dead = once(child, 'close') as Promise<[number | null, string]>;
        child.kill('SIGTERM');
        const [code, signal] = await dead;
        return code ?? signal;
      }),
    );
  }

  async #begin(child: ChildProcess): Promise<void> {
    child.stdin?.end('begin\n');
    await this.#said(child);
    if (child.pid !== undefined) this.#alive.set(child.pid, child);
  }

  /** The next line of its output. */
  async #said(child: ChildProcess): Promise<void> {
    const listening = new AbortController();
    const { signal } = listening;
    try {
      await Promise.race([
        child.stdout === null ? undefined : once(child.stdout, 'data', { signal }),
        once(child, 'close', { signal }).then(([code]) => {
          throw new Error(`A process ended with ${code} before it worked:\n${this.#logged}`);
        }),
      ]);
    } finally {
      listening.abort();
    }
  }

  async #loadOne(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [script, JSON.stringify(this.#plan)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#logged += text;
    });
    await this.#said(child);
    return child;
  }
}
