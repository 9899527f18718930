// The development server: one port for the whole service and a start page with links to its parts. Runs until the signal, then
// frees the port, waits for running requests and jobs, and closes the database. Called by the command dev.
import type { RequestListener } from 'node:http';
import { CommandError, type Service, type ServiceOptions } from '../../../core/index.ts';
import { parseUrl, release } from '../../../core/unstable.ts';
import { nodeHost } from '../../node/index.ts';
import type { CliContext } from '../command.ts';
import { absentPages, announcement, curlLines, linksOf, type Serving, servingInfo } from './announce.ts';
import { closeServer, listenFrom } from './listen.ts';
import { respondToSignIn } from './sample-sign-in.ts';
import { seed } from './seed.ts';
import { respondWithStartPage } from './start-page.ts';
import { respondToSample } from './webhook-samples.ts';

/** Options of a server. */
export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** Called with the port when the server listens. */
  readonly listening: (port: number) => void;
  /** Whether a supervising process prints that the server has stopped. */
  readonly supervised: boolean;
  /** Whether the server restarted after a change. It then announces itself in one line. */
  readonly isRestart: boolean;
}

/** Writes warnings and errors of the service as lines for people. */
function developmentLogger({ terminal }: CliContext): NonNullable<ServiceOptions<string>['logger']> {
  const { err } = terminal;
  const line = (mark: string) => (fields: Record<string, unknown>, message: string) => {
    const { cause, ...rest } = fields;
    const details = Object.entries(rest).map(([name, value]) => `${name}=${String(value)}`);
    err.line([mark, message, ...details].join(' '));
    if (cause !== undefined) err.line(err.colours.dim(String(cause)));
  };
  const silent = () => undefined;
  return {
    debug: silent,
    info: silent,
    warn: line(err.colours.yellow('warn ')),
    error: line(err.colours.red('error')),
  };
}

/** The path of publicUrl, which is used as the mount path, so that links of the service also work here. */
function baseOf(service: Service): string {
  const { publicUrl } = service.core.ports.service;
  const url = publicUrl === undefined ? undefined : parseUrl(publicUrl);
  return url === undefined ? '' : url.pathname.replace(/\/+$/, '');
}

async function migrate(service: Service): Promise<readonly string[]> {
  if (service.core.ports.service.environment === 'production') return [];
  return (await service.migrate()).map(({ namespace, id }) => `${namespace}/${id}`);
}

/**
 * Logs one line for each API call and each failure, on a terminal only. Requests of pages are left out, because there are too
 * many.
 */
function withRequestLog(listener: RequestListener, base: string, { terminal }: CliContext): RequestListener {
  const { colours, line } = terminal.out;
  return (request, response) => {
    const startedAt = performance.now();
    const [path = ''] = (request.url ?? '').split('?', 1);
    response.once('close', () => {
      const { statusCode } = response;
      if (!path.startsWith(`${base}/v1/`) && statusCode < 400) return;
      const colour = statusCode >= 500 ? colours.red : statusCode >= 400 ? colours.yellow : colours.green;
      const duration = `${Math.round(performance.now() - startedAt)} ms`;
      line(`${colour(String(statusCode))} ${request.method} ${path} ${colours.dim(duration)}`);
    });
    listener(request, response);
  };
}

/** The location of the service. */
interface Mounted {
  readonly base: string;
  readonly origin: string;
  /** Whether only this machine can reach it. */
  readonly local: boolean;
  readonly config: string | undefined;
  /** Undefined if there is no key to show. */
  readonly seeded: Serving['seeded'];
}

function listenerOf(service: Service, { base, origin, local, config, seeded }: Mounted): RequestListener {
  const { name } = service.core.ports.service;
  const details = {
    title: name,
    version: release,
    local,
    links: linksOf({ service, base }),
    absent: absentPages({ service }),
    addresses: [['API', `${origin}${base}/v1`] as const, ['MCP', `${origin}${base}/v1/mcp`] as const],
    trial: seeded === undefined ? undefined : { key: seeded.key, curl: curlLines({ origin, base }, seeded) },
  };
  // A config has its own sign-in.
  const sampleSignIn = config === undefined;
  const host = nodeHost(service, { basePath: base, startPage: '/' });
  return (request, response) => {
    if (sampleSignIn && respondToSignIn(request, response)) return;
    if (!respondWithStartPage(request, response, details)) host(request, response);
  };
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const isEvery = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The host in the origin. An address for all interfaces is replaced by localhost. */
const originOf = (host: string, port: number): string =>
  `http://${isEvery(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;

/** Serves until the context's signal. @throws if it cannot start; everything is then closed */
export async function serve(context: CliContext, options: ServeOptions): Promise<unknown> {
  const { project, globals, terminal, signal, interactive } = context;
  const config = project.config();
  // Requests that arrive before the service is ready wait for it, except requests that the service makes for its samples.
  const { promise: ready, resolve: begin } = promiseWithResolvers<RequestListener>();
  const { server, port } = await listenFrom(options.port, options.host, async (request, response) => {
    if (!respondToSample(request, response)) (await ready)(request, response);
  });
  try {
    options.listening(port);
    if (!options.isRestart && !globals.json) context.print(`Starting Postrider ${release} …`);
    const origin = originOf(options.host, port);
    const service = await project.service({ ifMissing: 'file', publicUrl: origin, logger: developmentLogger(context) });
    const base = baseOf(service);
    const applied = await migrate(service);
    const inProduction = service.core.ports.service.environment === 'production';
    const seeded = inProduction
      ? undefined
      : await seed(service, { cwd: project.cwd, origin, asked: globals.workspace });
    await service.start().catch((cause: unknown) => {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new CommandError(message, { cause });
    });
    const local = /^(127\.|localhost$|::1$)/.test(options.host);
    const listener = listenerOf(service, { base, origin, local, config, seeded });
    begin(interactive ? withRequestLog(listener, base, context) : listener);
    const serving: Serving = {
      service,
      cwd: project.cwd,
      config,
      origin,
      base,
      wantedPort: options.port,
      port,
      applied,
      seeded,
    };
    if (!local && !options.isRestart) {
      const reachableHint = `Other machines can reach this server at ${options.host}.`;
      context.warn(terminal.err.colours.yellow(`${reachableHint} Without --host only this machine can.`));
    }
    if (globals.json) context.printResult(await servingInfo(serving));
    else if (options.isRestart) context.print(`Restarted on ${origin}.`);
    else for (const line of await announcement(serving, terminal.out)) context.print(line);
    await untilAborted(signal);
  } catch (error) {
    // If the signal came before the server was ready, the supervising process reports that the server was stopped.
    if (!options.supervised || !signal.aborted) throw error;
  } finally {
    await closeServer(server);
  }
  await project.close();
  if (!options.supervised) context.print('Stopped.');
  return undefined;
}

/** Promise.withResolvers, which Node has since version 22. */
function promiseWithResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
