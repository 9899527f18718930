// Runs a recipe of docs/hosts.md as its reader would: the files on the page, in their own project, started by
// the framework's own command. Used by package.test.ts.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { root, runIn } from './tarball.ts';

/** A recipe and the command that starts it. */
export interface Recipe {
  /** The project, with the recipe's packages and the page's files. */
  readonly project: string;
  /** The command in node_modules/.bin, for the port on which it must listen. */
  command(port: number): readonly [name: string, ...args: string[]];
  readonly env: NodeJS.ProcessEnv;
}

/** The answers of a running recipe. */
export interface RecipeResponses {
  /** The answer to a request without a key. */
  readonly refused: { readonly status: number; readonly code: unknown };
  /** The answer to a body that is not JSON. */
  readonly broken: { readonly status: number; readonly code: unknown };
  /** The answer to a send to ada@example.com. */
  readonly sent: { readonly status: number; readonly to: unknown };
}

const startLimitMs = 120_000;

/** The environment variables of a program in production. */
const production = (): NodeJS.ProcessEnv => ({
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  POSTRIDER_KEY: randomBytes(32).toString('base64'),
  POSTRIDER_URL: 'https://app.example.com/messaging',
});

async function ask(url: string, init: RequestInit = {}): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('application/json'))
    throw new Error(`${url} answered ${response.status}: ${text.slice(0, 2_000)}`);
  return { status: response.status, body: JSON.parse(text) as Record<string, unknown> };
}

const codeOf = (body: Record<string, unknown>): unknown => (body['error'] as { code?: unknown } | undefined)?.code;

async function exchangeMessages(origin: string, key: string, hasEnded: () => boolean): Promise<RecipeResponses> {
  const deadline = Date.now() + startLimitMs;
  while (!(await fetch(origin, { method: 'HEAD' }).catch(() => undefined))) {
    if (hasEnded() || Date.now() > deadline) throw new Error('it does not listen');
    await wait(100);
  }
  const post = (body: string) =>
    ask(`${origin}/messaging/v1/templates/hello/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'one' },
      body,
    });
  const refusal = await ask(`${origin}/messaging/v1/workspace`);
  const brokenBodyAnswer = await post('{"to":');
  const sendAnswer = await post(JSON.stringify({ to: 'ada@example.com', variables: { name: 'Ada' } }));
  return {
    refused: { status: refusal.status, code: codeOf(refusal.body) },
    broken: { status: brokenBodyAnswer.status, code: codeOf(brokenBodyAnswer.body) },
    sent: { status: sendAnswer.status, to: sendAnswer.body['to'] },
  };
}

/** Seeds the recipe's database, starts its server in production, sends a mail through it, waits for `delivered`, and stops it. */
export async function runRecipe(recipe: Recipe, waitForDelivery: () => boolean): Promise<RecipeResponses> {
  const { project } = recipe;
  await copyFile(join(root, 'test/package/programs/seed.mjs'), join(project, 'seed.mjs'));
  const env = { ...production(), ...recipe.env };
  const { stdout } = await runIn(project, process.execPath, ['seed.mjs'], env);
  const port = await freePort();
  const [name, ...args] = recipe.command(port);
  // The signal goes to its own process group, since these commands start further processes.
  const child = spawn(join(project, 'node_modules/.bin', name), args, {
    cwd: project,
    detached: true,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const processClosed = once(child, 'close');
  try {
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    const answers = await exchangeMessages(`http://127.0.0.1:${port}`, stdout.trim(), hasEnded);
    const deadline = Date.now() + startLimitMs;
    while (!waitForDelivery()) {
      if (Date.now() > deadline) throw new Error('the mail was not delivered');
      await wait(50);
    }
    return answers;
  } catch (cause) {
    throw new Error(`${name} ${args.join(' ')}: ${String(cause)}\n${output}`.slice(0, 8_000), { cause });
  } finally {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
    await processClosed;
  }
}
