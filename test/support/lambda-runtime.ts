// A function on AWS's own runtime client (aws-lambda-ric 3), connected to a Runtime API of the test:
// docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html. `.ci/run` builds the client. If the client is missing, the tests are skipped,
// or this throws an error if POSTRIDER_TEST_SERVICES is `required`. POSTRIDER_TEST_LAMBDA_RIC is another folder of the client, or `none`
// if it could not be built.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { root } from './bundle.ts';
import { mayUse } from './services.ts';

const client =
  process.env['POSTRIDER_TEST_LAMBDA_RIC'] ?? join(root, 'node_modules/.cache/lambda-ric/node_modules/aws-lambda-ric');

/** True if the runtime client is installed. Prints a line if it is not. */
export function hasLambdaRuntime(): boolean {
  const tests = 'the tests on the runtime client of AWS Lambda';
  if (client !== 'none')
    return mayUse(tests, existsSync(join(client, 'dist/rapid-client.node')), `there is no aws-lambda-ric in ${client}`);
  console.log(`# left out: ${tests} (it could not be built)`);
  return false;
}

/** The answer that Lambda gets from a function. */
export interface InvocationResult {
  /** The result's text, or the bytes of a stream. */
  readonly payload: Buffer;
  /** True if the function streamed */
  readonly streamed: boolean;
  readonly contentType: string;
  /** The class name of the error that the function threw. */
  readonly errorType: string | undefined;
  /** False if a stream ended too early */
  readonly whole: boolean;
}

/** An instance of a function, which handles one event at a time */
export interface FunctionInstance {
  /** Milliseconds from its start until it requested its first event. @throws the error that its start threw */
  initialised(): Promise<number>;
  /** Sends an event, and resolves with the answer. The instance may continue to work until it requests the next event. */
  invoke(event: unknown, timeoutMs?: number): Promise<InvocationResult>;
  /** Resolves when the instance waits for its next event, at which Lambda freezes it. */
  idle(): Promise<void>;
  readonly child: ChildProcess;
  /** The instance's log. */
  output(): string;
  stop(): Promise<void>;
}

interface Event {
  readonly id: string;
  readonly text: string;
  readonly timeoutMs: number;
  readonly answered: (answer: InvocationResult) => void;
}

/** The Runtime API of one instance. */
class RuntimeApi {
  readonly server: Server;
  readonly #events: Event[] = [];
  readonly #invoked = new Map<string, Event>();
  #waiting: ServerResponse | undefined;
  #idle: (() => void)[] = [];
  /** Called with the error that the function's start threw. */
  onStartFault: (text: string) => void = () => undefined;

  constructor() {
    this.server = createServer((request, response) => void this.#serve(request, response));
    this.server.keepAliveTimeout = 600_000;
  }

  invoke(event: Event): void {
    this.#events.push(event);
    this.#next();
  }

  idle(): Promise<void> {
    if (this.#waiting !== undefined && this.#events.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    if (this.#waiting === undefined) return;
    const event = this.#events.shift();
    if (event === undefined) {
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    const response = this.#waiting;
    this.#waiting = undefined;
    this.#invoked.set(event.id, event);
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Lambda-Runtime-Aws-Request-Id': event.id,
      'Lambda-Runtime-Deadline-Ms': String(Date.now() + event.timeoutMs),
      'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:eu-west-1:123456789012:function:postrider',
    });
    response.end(event.text);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/^\/2018-06-01\/runtime\//, '');
    if (request.method === 'GET' && path === 'invocation/next') {
      this.#waiting = response;
      response.once('close', () => {
        if (this.#waiting === response) this.#waiting = undefined;
      });
      return this.#next();
    }
    const [, id = '', resultKind] = /^invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    const { headers } = request;
    let isComplete = true;
    const payload = await buffer(request).catch(() => {
      isComplete = false;
      return Buffer.alloc(0);
    });
    if (path === 'init/error') this.onStartFault(payload.toString('utf8'));
    const errorType = resultKind === 'error' ? String(headers['lambda-runtime-function-error-type']) : undefined;
    const isStream = headers['lambda-runtime-function-response-mode'] === 'streaming';
    const contentType = String(headers['content-type'] ?? '');
    const isBroken = request.trailers['lambda-runtime-function-error-type'] !== undefined;
    const event = this.#invoked.get(id);
    this.#invoked.delete(id);
    event?.answered({ payload, streamed: isStream, contentType, errorType, whole: isComplete && !isBroken });
    response.writeHead(202).end();
  }
}

/** The settings of an instance. */
export interface FunctionOptions {
  /** The folder of the handler's module. */
  readonly folder: string;
  /** Such as `main.handler`: the module without its extension, and the name of its export. */
  readonly handler: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments for node itself. */
  readonly nodeArguments?: readonly string[];
}

/** Starts an instance. */
export async function startFunction(options: FunctionOptions): Promise<FunctionInstance> {
  const { folder, handler, env = {}, nodeArguments = [] } = options;
  const api = new RuntimeApi();
  api.server.listen(0, '127.0.0.1');
  await once(api.server, 'listening');
  const { port } = api.server.address() as AddressInfo;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeArguments, join(client, 'bin/index.mjs'), handler], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      AWS_LAMBDA_FUNCTION_NAME: 'postrider',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_REGION: 'eu-west-1',
      LAMBDA_TASK_ROOT: folder,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const startFailure = new Promise<never>((_, reject) => {
    api.onStartFault = (text) => reject(new Error(`The function did not start: ${text}`));
    child.once('exit', (code, signal) => reject(new Error(`The function ended (${code ?? signal}): ${output}`)));
  });
  startFailure.catch(() => undefined);
  const first = api.idle().then(() => performance.now() - startedAt);
  let count = 0;
  return {
    child,
    output: () => output,
    initialised: () => Promise.race([first, startFailure]),
    idle: () => Promise.race([api.idle(), startFailure]),
    invoke(event, timeoutMs = 30_000) {
      count += 1;
      const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
      const answer = new Promise<InvocationResult>((answered) => {
        api.invoke({ id, text: JSON.stringify(event), timeoutMs, answered });
      });
      return Promise.race([answer, startFailure]);
    },
    async stop() {
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      child.kill('SIGKILL');
      if (!hasEnded) await once(child, 'exit');
      api.server.closeAllConnections();
      api.server.close();
    },
  };
}
