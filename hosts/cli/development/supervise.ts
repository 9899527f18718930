// Runs the development server in a child process and restarts it when a file of the config changes, because modules cannot be
// unloaded. No child process is left running after a stop, a crash or a config that does not load. Called by the command dev.
import { type ChildProcess, fork } from 'node:child_process';
import { type FSWatcher, watch } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { CliContext } from '../command.ts';
import { configFiles } from '../config-files.ts';
import { stopMessage } from '../interruption.ts';
import type { Environment } from '../project.ts';

const settleMs = 150;
const endLimitMs = 15_000;

/** Environment variable of the served process, set if it is supervised. Its value is not empty if the process was restarted. */
export const restartVariable = 'POSTRIDER_DEV_AGAIN';

/** A message from the served process. */
export interface ListeningMessage {
  readonly port: number;
}

const isListening = (message: unknown): message is ListeningMessage =>
  typeof message === 'object' && message !== null && typeof (message as Partial<ListeningMessage>).port === 'number';

/** The command-line arguments of the child. */
export type ServeArguments = (port: number | undefined) => readonly string[];

interface ProcessEnd {
  readonly code: number | null;
}

/** One served process. */
class ServedProcess {
  readonly #child: ChildProcess;
  readonly ended: Promise<ProcessEnd>;
  port: number | undefined;

  constructor(words: readonly string[], environment: Environment, isRestart: boolean) {
    const [, program = ''] = process.argv;
    this.#child = fork(program, words, {
      env: { ...environment, [restartVariable]: isRestart ? '1' : '' },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message) => {
      if (isListening(message)) this.port = message.port;
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (code) => resolve({ code }));
      this.#child.once('error', () => resolve({ code: 1 }));
    });
  }

  /** Requests an orderly end, and waits for it for a limited time. */
  async end(): Promise<void> {
    if (this.#child.connected) this.#child.send(stopMessage, () => undefined);
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), endLimitMs);
    await this.ended;
    clearTimeout(timer);
  }
}

/** Resolves with the changed file once its content differs. Editors write in several steps. */
async function nextChange(config: string, cwd: string, signal: AbortSignal): Promise<string | undefined> {
  const previousFiles = await configFiles(config, cwd);
  const watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string | undefined>((resolve) => {
      const poll = async () => {
        const now = await configFiles(config, cwd);
        const changed = [...new Set([...previousFiles.keys(), ...now.keys()])].find(
          (file) => previousFiles.get(file) !== now.get(file),
        );
        if (changed !== undefined) resolve(changed);
      };
      const pollSoon = () => {
        clearTimeout(timer);
        timer = setTimeout(() => void poll().catch(() => undefined), settleMs);
      };
      if (signal.aborted) return resolve(undefined);
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      for (const folder of new Set([cwd, ...[...previousFiles.keys()].map((file) => dirname(file))])) {
        watchers.push(watch(folder, pollSoon).on('error', () => undefined));
      }
      // A file may have changed between the reading above and the start of the watchers.
      pollSoon();
    });
  } finally {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  }
}

/** Serves until the context's signal, and restarts after each change. Fails with the error of the first start. */
export async function supervise(
  { project, signal, print, warn, setFailed: fail, outerEnv }: CliContext,
  config: string,
  words: ServeArguments,
): Promise<void> {
  const { cwd } = project;
  const stopped = () => print('Stopped.');
  let port: number | undefined;
  for (let isRestart = false; ; isRestart = true) {
    const served = new ServedProcess(words(port), outerEnv, isRestart);
    const stopWatching = new AbortController();
    const watching = AbortSignal.any([signal, stopWatching.signal]);
    const change = nextChange(config, cwd, watching);
    const first = await Promise.race([change.then((file) => ({ file })), served.ended]);
    port = served.port ?? port;
    if (signal.aborted) {
      stopWatching.abort();
      await served.end();
      return stopped();
    }
    if ('code' in first) {
      if (!isRestart || first.code === 0) {
        stopWatching.abort();
        if (first.code !== 0) fail();
        return;
      }
      warn('The server starts again after the next change of the config.');
    }
    const file = await change;
    if (file !== undefined) print(`${relative(cwd, file)} changed.`);
    await served.end();
    port = served.port ?? port;
    if (file === undefined) return stopped();
  }
}
