// For the tests of the launcher: runs the real `postrider mcp` as a process and exchanges lines with it. Also runs misbehaving servers
// for it.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

/**
 * Bundles the command line into one file in a folder where it finds its packages. Without the bundle, tsx would compile it for each
 * start.
 */
function bundleCli(): string {
  const folder = resolve(root, 'node_modules/.cache');
  mkdirSync(folder, { recursive: true });
  const outfile = join(mkdtempSync(join(folder, 'launcher-')), 'main.mjs');
  buildSync({
    entryPoints: [resolve(root, 'hosts/cli/main.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
  });
  process.once('exit', () => rmSync(dirname(outfile), { recursive: true, force: true }));
  return outfile;
}

/** The program and its first arguments, as in the configuration of a client */
export const launcher = { command: process.execPath, args: [bundleCli(), 'mcp'] } as const;

/** A message from the launcher. */
export interface LauncherMessage {
  readonly jsonrpc?: string;
  readonly id?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

/** The error envelope in a response. */
export function envelopeIn({ error }: LauncherMessage): Record<string, unknown> {
  const envelope = error?.data?.error;
  if (typeof envelope !== 'object' || envelope === null) throw new Error('The answer carries no envelope.');
  return envelope as Record<string, unknown>;
}

/** A running launcher. */
export interface RunningLauncher {
  /** Writes bytes to its stdin. */
  write(bytes: string | Uint8Array): void;
  /** Sends a message as one line. */
  send(message: unknown): void;
  /** Waits for the response to the request with this id. */
  answer(id: unknown): Promise<LauncherMessage>;
  /** Ends its stdin and waits until it exits. */
  end(): Promise<{ readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the launcher. It gets only those of Postrider's environment variables that are in `env`. */
export function launch(args: readonly string[], env: Readonly<Record<string, string>>): RunningLauncher {
  const { POSTRIDER_API_KEY: _key, POSTRIDER_MCP_URL: _url, ...inherited } = process.env;
  const child = spawn(launcher.command, [...launcher.args, ...args], {
    env: { ...inherited, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr, unread] = ['', '', ''];
  const messages: LauncherMessage[] = [];
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const lines = (unread + text).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) messages.push(JSON.parse(line) as LauncherMessage);
    for (const notify of waiting) notify();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A launcher that refuses to start exits before its input is written.
  child.stdin.on('error', () => undefined);
  let over = false;
  const exitCodePromise = new Promise<number | null>((resolved) => {
    child.on('close', (exitCode) => {
      over = true;
      for (const look of waiting) look();
      resolved(exitCode);
    });
  });
  return {
    write: (bytes) => void child.stdin.write(bytes),
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    answer: (id) =>
      new Promise((resolved, reject) => {
        const look = () => {
          const response = messages.find((message) => message.id === id);
          if (response === undefined && !over) return;
          waiting.delete(look);
          if (response === undefined)
            reject(new Error(`The launcher ended without an answer to ${String(id)}. ${stderr}`));
          else resolved(response);
        };
        waiting.add(look);
        look();
      }),
    async end() {
      child.stdin.end();
      const exitCode = await exitCodePromise;
      return { exitCode, stdout, stderr };
    },
    kill: (signal) => void child.kill(signal),
  };
}

/** A server whose responses the test writes */
export interface ScriptedServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Calls `answer` for every path, after it has read the body. */
export async function startScriptedServer(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<ScriptedServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('utf8')));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/mcp`,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}
