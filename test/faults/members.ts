// Starts processes that work on one database side by side, kills them or ends them in order, and keeps what they logged.
// Called by the tests of many processes.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ManyPlan } from './many-plan.ts';

const script = fileURLToPath(new URL('./many-process.ts', import.meta.url));
const loader = import.meta.resolve('tsx');

/** The processes of one run. */
export class Members {
  readonly #plan: ManyPlan;
  readonly #alive = new Map<number, ChildProcess>();
  #logged = '';
  #kills = 0;

  constructor(plan: ManyPlan) {
    this.#plan = plan;
  }

  /** Those that were neither killed nor ended. */
  get pids(): readonly number[] {
    return [...this.#alive.keys()];
  }

  get kills(): number {
    return this.#kills;
  }

  /** The lines that they logged, with their level. */
  get log(): readonly { readonly level: string; readonly msg: string }[] {
    return this.#logged
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: string; msg: string });
  }

  /** What they wrote to stderr that is no line of the log, such as an exception that nobody handled. */
  get noise(): readonly string[] {
    return this.#logged.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  }

  /** Resolves when `count` more of them work. @throws when one ends before */
  async start(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#startOne()));
  }

  /** SIGKILL. Resolves when it is dead. */
  async kill(pid: number): Promise<void> {
    const child = this.#alive.get(pid);
    if (child === undefined) throw new Error(`The process ${pid} is not alive.`);
    this.#alive.delete(pid);
    this.#kills += 1;
    const dead = once(child, 'close');
    child.kill('SIGKILL');
    await dead;
  }

  /** SIGTERM to all that are left. Answers how each ended: 0 in order. */
  async stop(): Promise<(number | string)[]> {
    const children = [...this.#alive.values()];
    this.#alive.clear();
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

  async #startOne(): Promise<void> {
    const child = spawn(process.execPath, ['--import', loader, script, JSON.stringify(this.#plan)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#logged += text;
    });
    const early = once(child, 'close').then(([code]) => {
      throw new Error(`A process ended with ${code} before it worked:\n${this.#logged}`);
    });
    early.catch(() => undefined);
    await Promise.race([once(child.stdout, 'data'), early]);
    if (child.pid !== undefined) this.#alive.set(child.pid, child);
  }
}
