// Runs a real mail server for a test: in its own folder, on loopback, relaying all mail to one port. `.ci/run` unpacks Debian's packages
// and installs Haraka into node_modules/.cache/mail-servers, because Debian can install only one mail server at a time.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.ts';

/** A running mail server. */
export interface Mta {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** The settings for starting a server */
export interface ServerPlan {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The time that it may take until it greets, in milliseconds (Default: 15,000) */
  readonly startMs?: number;
}

/** The folder of the unpacked and installed servers. */
export const serversFolder = fileURLToPath(new URL('../../../node_modules/.cache/mail-servers/', import.meta.url));

/** The folder in which Debian's packages are unpacked. */
export const debianRoot = join(serversFolder, 'debian');

/** The path of a program from Debian's packages. @throws Error if it is missing, or if this process is not root */
export function debianProgram(path: string): string {
  const program = join(debianRoot, path);
  if (!existsSync(program)) throw new Error(`there is no ${path} in ${debianRoot}`);
  if (process.getuid?.() !== 0) throw new Error('it needs root');
  return program;
}

const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    // Another program may use the port, and may not greet.
    socket.setTimeout(2_000, () => {
      socket.destroy();
      resolve(false);
    });
  });

async function waitForGreeting(port: number, child: ChildProcess, ms: number, output: () => string): Promise<void> {
  for (let waitedMs = 0; waitedMs < ms; waitedMs += 50) {
    if (await greets(port)) return;
    if (child.exitCode !== null) break;
    await pause(50);
  }
  throw new Error(`it does not answer: ${output().trim().slice(-400)}`);
}

/** Starts a server. `prepare` writes its configuration into the folder. The folder is removed when the server stops. */
export async function runServer(prepare: (folder: string, port: number) => ServerPlan): Promise<Mta> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-mta-'));
  // The servers deliver with their own accounts.
  chmodSync(folder, 0o755);
  const port = await freePort();
  let output = '';
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      const { pid } = child;
      // The whole group is ended, because a server starts its own processes.
      if (pid !== undefined) process.kill(-pid, 'SIGTERM');
      const killTimer = setTimeout(() => pid !== undefined && process.kill(-pid, 'SIGKILL'), 10_000);
      await exit;
      clearTimeout(killTimer);
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { program, args, env, startMs = 15_000 } = prepare(folder, port);
    child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      detached: true,
    });
    const keep = (chunk: Buffer): void => {
      output = (output + chunk).slice(-4_000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    await waitForGreeting(port, child, startMs, () => output);
  } catch (error) {
    await stop();
    throw error;
  }
  return { host: '127.0.0.1', port, stop };
}
