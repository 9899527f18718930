// AWS Lambda: the service as the handler of one function, for every event of such a function. Called by embedding programs. Adds
// no feature, starts nothing, and leaves nothing running between two invocations.

import type { Writable } from 'node:stream';
import { checkOptions, type DrainReport, type QueueCalls, type Service } from '../../core/index.ts';
import { LambdaHostError } from './errors.ts';
import { type LambdaEvent, readEvent } from './events.ts';
import { bufferedResult } from './http.ts';
import { postSnsRecords, runSqsRecords, type SqsResult } from './messages.ts';
import type { LambdaMount } from './request.ts';
import type { LambdaHttpResult } from './result.ts';
import { assertSharedStorage } from './storage.ts';
import { endWith, runtimeOrThrow, streamResponse } from './streaming.ts';
import { type Budget, budgetOf, type LambdaContext } from './time.ts';

export { LambdaHostError, type LambdaHostFault } from './errors.ts';
export type { LambdaContext, LambdaHttpResult, SqsResult };

/** Options of the Lambda host. */
export interface LambdaHostOptions {
  /** The mount path of the service, such as a base path mapping: `/messaging`. (Default: the root) */
  readonly basePath?: string;
  /**
   * The number of proxies in front of the gateway, such as CloudFront, that write X-Forwarded-For and X-Forwarded-Host; true
   * trusts every proxy. The gateway itself is always trusted. (Default: false)
   */
  readonly trustProxy?: boolean | number;
  /** Responds through a function URL in the mode RESPONSE_STREAM. (Default: false) */
  readonly streaming?: boolean;
  /**
   * The time before the response in which an invocation may start the jobs that it accepted, or pass them to the queue if the
   * service has one, in milliseconds. The schedule runs the remaining jobs. (Default: 2,000)
   */
  readonly settleMs?: number;
  /** The time that remains of the function's time limit when its jobs must have ended, in milliseconds. (Default: 1,000) */
  readonly marginMs?: number;
  /** The path below the mount that receives messages of SNS topics. (Default: /inbound/mail/ses) */
  readonly snsPath?: string;
}

/** The result of `{ "action": "migrate" }`. */
export interface MigrateResult {
  readonly migrated: readonly string[];
}

/** The parts of a service that the host needs. */
export type LambdaService = Pick<Service, 'dispatch' | 'core' | 'drain' | 'settle' | 'migrate'> & QueueCalls;

/** The handler of a function. */
export type LambdaHandler = (event: unknown, context: LambdaContext) => Promise<unknown>;

type Outcome = LambdaHttpResult | SqsResult | DrainReport | MigrateResult | undefined;

interface Invocation {
  readonly service: LambdaService;
  readonly mount: LambdaMount;
  readonly context: LambdaContext;
  readonly options: LambdaHostOptions;
}

const defaultMarginMs = 1_000;
const defaultSettleMs = 2_000;

function mountOf({ basePath = '', trustProxy = false }: LambdaHostOptions): LambdaMount {
  const base = basePath.replace(/\/+$/, '');
  if (base === '' || base.startsWith('/')) return { basePath: base, trustProxy };
  const givenText = JSON.stringify(basePath);
  throw new LambdaHostError(
    'option_invalid',
    `basePath must start with a slash, as in /messaging. It is ${givenText}.`,
  );
}

const wholeBudget = ({ context, options }: Invocation): Budget =>
  budgetOf(context, options.marginMs ?? defaultMarginMs);

/** Starts the jobs of the invocation, or passes them to the queue, because the function may be frozen forever after its response. */
async function settle({ service, context, options }: Invocation): Promise<void> {
  const budget = budgetOf(context, options.marginMs ?? defaultMarginMs, options.settleMs ?? defaultSettleMs);
  await service.settle(budget).catch((cause: unknown) => {
    // Accepted jobs are in the database, where the schedule finds them, so the response stays valid.
    service.core.log.error(
      { cause: String(cause) },
      'the remaining jobs of an invocation could not be started or passed to the queue',
    );
  });
}

async function drain(invocation: Invocation): Promise<DrainReport> {
  const budget = wholeBudget(invocation);
  const startedAt = performance.now();
  await invocation.service.relayPending({ budgetMs: budget.budgetMs });
  return invocation.service.drain({ ...budget, budgetMs: budget.budgetMs - (performance.now() - startedAt) });
}

async function act(invocation: Invocation, action: string): Promise<Outcome> {
  if (action === 'drain') return drain(invocation);
  if (action === 'migrate') {
    const applied = await invocation.service.migrate();
    return { migrated: applied.map(({ namespace, id }) => `${namespace}/${id}`) };
  }
  throw new LambdaHostError(
    'action_unknown',
    `There is no action ${JSON.stringify(action)}. The actions are migrate and drain.`,
  );
}

/** Handles all events except HTTP. */
async function handle(invocation: Invocation, event: LambdaEvent): Promise<Outcome> {
  const { service, options } = invocation;
  switch (event.kind) {
    case 'sqs':
      return runSqsRecords(service, event.records, wholeBudget(invocation));
    case 'sns':
      await postSnsRecords(service, event.records, options.snsPath ?? '/inbound/mail/ses');
      return undefined;
    case 'schedule':
      return drain(invocation);
    case 'action':
      return act(invocation, event.action);
    default:
      throw new LambdaHostError(
        'event_unknown',
        'This event is not supported. Supported events: API Gateway, function URLs, load balancers, SQS, SNS, EventBridge schedules, { "action": "migrate" } and { "action": "drain" }.',
      );
  }
}

async function buffered(invocation: Invocation, event: unknown): Promise<Outcome> {
  const parsed = readEvent(event);
  try {
    return parsed.kind === 'gateway 1' || parsed.kind === 'gateway 2' || parsed.kind === 'balancer'
      ? await bufferedResult(invocation.service, parsed, invocation.mount)
      : await handle(invocation, parsed);
  } finally {
    await settle(invocation);
  }
}

async function streamed(invocation: Invocation, event: unknown, stream: Writable): Promise<void> {
  const parsed = readEvent(event);
  try {
    if (parsed.kind === 'gateway 1' || parsed.kind === 'gateway 2' || parsed.kind === 'balancer')
      await streamResponse(invocation.service, parsed, invocation.mount, stream);
    else await endWith(stream, JSON.stringify((await handle(invocation, parsed)) ?? null));
  } finally {
    // Runs after a fault, too, because jobs may have been accepted before the fault.
    await settle(invocation);
  }
}

/**
 * The service as the handler of a function: `export const handler = lambdaHost(service)`. Instead of the service, a function that
 * returns the service is accepted. It is called once, at the first event.
 * @throws LambdaHostError for an invalid option, and on Lambda for a database that only one machine can reach
 */
export function lambdaHost(
  service: LambdaService | (() => LambdaService | Promise<LambdaService>),
  options: LambdaHostOptions = {},
): LambdaHandler {
  checkOptions<LambdaHostOptions>('lambdaHost', options, {
    basePath: 'optional',
    trustProxy: 'optional',
    streaming: 'optional',
    settleMs: 'optional',
    marginMs: 'optional',
    snsPath: 'optional',
  });
  const mount = mountOf(options);
  const create = async (): Promise<LambdaService> => {
    const created = typeof service === 'function' ? await service() : service;
    assertSharedStorage(created);
    return created;
  };
  if (typeof service !== 'function') assertSharedStorage(service);
  let created: Promise<LambdaService> | undefined;
  const invoke = async (context: LambdaContext): Promise<Invocation> => {
    created ??= create();
    try {
      return { service: await created, mount, context, options };
    } catch (cause) {
      created = undefined;
      throw cause;
    }
  };
  if (options.streaming !== true) return async (event, context) => buffered(await invoke(context), event);
  const handler = runtimeOrThrow().streamifyResponse<LambdaContext>(async (event, stream, context) =>
    streamed(await invoke(context), event, stream),
  );
  return handler as LambdaHandler;
}
