// A real mail server between the service and the sink: Debian's OpenSMTPD, with its own configuration, relaying everything. It needs
// root, and only one can run on a machine. If it cannot run, tests are left out; if POSTRIDER_TEST_SERVICES is `required`, this
// throws instead.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { lookFor } from './services.ts';

const program = '/usr/sbin/smtpd';

/** A running mail server. */
export interface Mta {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

async function untilItGreets(port: number, child: ChildProcess, said: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await greets(port)) return;
    if (child.exitCode !== null) break;
    await pause(50);
  }
  throw new Error(`it does not answer: ${said().trim().slice(-200)}`);
}

async function start(relayPort: number): Promise<Mta> {
  if (!existsSync(program)) throw new Error(`there is no ${program}`);
  if (process.getuid?.() !== 0) throw new Error('it needs root');
  const folder = mkdtempSync(join(tmpdir(), 'postrider-mta-'));
  const port = await freePort();
  const config = join(folder, 'smtpd.conf');
  writeFileSync(
    config,
    `listen on 127.0.0.1 port ${port} hostname mta.example\naction "out" relay host smtp://127.0.0.1:${relayPort}\nmatch from any for any action "out"\n`,
  );
  // OpenSMTPD refuses a configuration that other users may write.
  chmodSync(config, 0o644);
  const child = spawn(program, ['-d', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const stop = async (): Promise<void> => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItGreets(port, child, () => said);
  } catch (error) {
    await stop();
    throw error;
  }
  return { host: '127.0.0.1', port, stop };
}

/** Starts the server in front of a sink that it relays to. If it cannot run, prints that and returns undefined. */
export const startMta = (relayPort: number): Promise<Mta | undefined> =>
  lookFor('the tests with OpenSMTPD', () => start(relayPort));
