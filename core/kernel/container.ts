// The dependency-injection container: one registration for each part, PROXY mode, strict. Nothing here does I/O; parts
// that need the database or the keyring open them at their first use.
import { asFunction, asValue, createContainer, InjectionMode } from 'awilix/browser';
import type { CorePorts, ServiceContext, ServicePorts } from '../contract/context/context.ts';
import type { Plugin } from '../contract/declaration/plugin.ts';
import type { PluginPorts } from '../contract/declaration/port.ts';
import type { Services } from '../contract/open.ts';
import type { LimitStore } from '../contract/ports/limits.ts';
import type { Outgoing } from '../contract/ports/outgoing.ts';
import type { MembersPort } from '../contract/ports/platform.ts';
import { isOnLambda } from '../contract/values/on-lambda.ts';
import { subscriberKind } from '../jobs/event-jobs.ts';
import { coreSchedules, createJobRunner, createJobsPort, type JobRunner } from '../jobs/index.ts';
import { createOutgoing } from '../outgoing/index.ts';
import { createBudgetMarks } from '../pipeline/budget-marks.ts';
import { createBudgetMeter } from '../pipeline/budgets.ts';
import type { Core, CoreSettings, Registry } from '../pipeline/core.ts';
import { createEventRouter, createSubscribers, type EventRouter } from '../pipeline/event-router.ts';
import { createKeyUsage } from '../pipeline/key-usage.ts';
import { resolvePlans } from '../pipeline/plans.ts';
import { Precedence } from '../pipeline/precedence.ts';
import { createRequestLog } from '../pipeline/request-log.ts';
import { release } from '../projections/release.ts';
import { createLimitDatabase } from '../storage/limit-rows.ts';
import { createTelemetry, type Telemetry } from '../telemetry/index.ts';
import { announcementSchedules } from './announcements.ts';
import { findKeyOfToken } from './bearer-tokens.ts';
import { createContributions } from './contributions.ts';
import { defaultKeyring, defaultLimits } from './defaults.ts';
import { createHeldCalls } from './held-calls.ts';
import { createInnerCalls } from './inner-calls.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { logOf } from './log.ts';
import { createAccess } from './member-access.ts';
import { createOpener, type Opener } from './opener.ts';
import { createOperationCatalogue } from './operation-catalogue.ts';
import { assertOptions } from './option-faults.ts';
import { type ServiceOptions, slugOf } from './options.ts';
import { createPersonalData } from './personal-data.ts';
import { createIdSource, systemClock, systemRandomness } from './platform.ts';
import type { PortPool } from './port-pool.ts';
import { createPortPools } from './ports.ts';
import { createRegistry, subscriberName } from './registry.ts';
import { resolveRetention } from './retention.ts';
import { createTimeline } from './timeline.ts';

function settingsOf({
  settings = {},
  openapi = {},
  cors,
  environment,
}: ServiceOptions<string>): Omit<CoreSettings, 'idempotencyMs'> {
  return {
    maxBodyBytes: settings.maxBodyBytes ?? 15 * 1_048_576,
    onStoreFailure: settings.onStoreFailure ?? 'allow',
    publicOpenapi: openapi.public ?? false,
    toolOrigins: settings.toolOrigins ?? [],
    corsOrigins: cors?.origins ?? [],
    checkEvents: environmentOf(environment) === 'development',
  };
}

function environmentOf(environment: 'development' | 'production' | undefined): 'development' | 'production' {
  return environment ?? (process.env.NODE_ENV === 'production' ? 'production' : 'development');
}

function membersOf({ members }: ServiceOptions<string>): MembersPort {
  if (members === undefined) return { list: async () => [] };
  if (typeof members.list === 'function') return members as MembersPort;
  const table = members as Readonly<
    Record<string, readonly { uid: string; name: string; email: string; role: string }[]>
  >;
  return { list: async (workspaceId) => table[workspaceId] ?? [] };
}

const keyringOf = ({ keyring }: ServiceOptions<string>) => keyring ?? defaultKeyring();

function limitsOf({ limits }: ServiceOptions<string>, opener: Opener): LimitStore {
  if (limits === undefined) return defaultLimits();
  return typeof limits === 'function' ? limits(createLimitDatabase(() => opener.database())) : limits;
}

/** The parts, by name. */
export interface Cradle {
  readonly options: ServiceOptions<string>;
  readonly registry: Registry;
  readonly opener: Opener;
  /** Pools by port name. */
  readonly portPools: ReadonlyMap<string, PortPool>;
  readonly outgoing: Outgoing;
  readonly eventRouter: EventRouter;
  readonly ports: ServicePorts;
  readonly telemetry: Telemetry;
  readonly services: Services;
  readonly jobRunner: JobRunner;
  readonly lifecycle: Lifecycle;
  readonly core: Core;
}

const createRegistryPart = ({ options }: Cradle): Registry =>
  createRegistry(options.plugins, [...coreSchedules, ...announcementSchedules], { ...options });

/** The checked prefix. Some statements use it unquoted. Table names have up to 40 letters, and databases allow 63. */
function tablePrefixOf({ tablePrefix = 'postrider_' }: ServiceOptions<string>): string {
  if (/^[a-z_][a-z0-9_]{0,20}$/i.test(tablePrefix)) return tablePrefix;
  throw new RangeError(
    `"${tablePrefix}" cannot be the tablePrefix: use 1 to 21 letters, digits and underscores, such as mail_, and do not begin with a digit.`,
  );
}

function createOpenerPart({ options, registry }: Cradle): Opener {
  return createOpener({
    storage: options.storage,
    keyring: keyringOf(options),
    environment: environmentOf(options.environment),
    database: {
      prefix: tablePrefixOf(options),
      tables: registry.tables,
      migrations: registry.migrations.flatMap(({ migrations }) => migrations),
      queryPlugins: options.queryPlugins ?? [],
    },
    migrations: { all: registry.migrations, release },
    log: logOf(options),
  });
}

function createPorts(cradle: Cradle): ServicePorts {
  const { options, opener, portPools, registry } = cradle;
  const clock = options.clock ?? systemClock;
  const randomness = options.randomness ?? systemRandomness;
  const name = options.name ?? 'Postrider';
  const onPhase = options.onPhase;
  const core: CorePorts = {
    outgoing: cradle.outgoing,
    personalData: createPersonalData(registry, () => cradle.core),
    timeline: createTimeline(registry.timeline, () => cradle.core),
    consoleEntries: registry.consoleEntries,
    contributions: createContributions(registry.plugins, () => cradle.core),
    telemetry: cradle.telemetry,
    heldCalls: createHeldCalls(registry, () => cradle.core),
    operations: createOperationCatalogue(registry),
    jobs: createJobsPort(() => cradle.core),
    events: registry.events,
    customEvents: registry.customEvents,
    subscribers: createSubscribers(registry.events, () => cradle.eventRouter),
    ids: createIdSource(clock, randomness),
    randomness,
    get keyring() {
      return opener.keyring();
    },
    members: membersOf(options),
    access: createAccess(options.access, registry.scopes, logOf(options), options.privateNetworks),
    scopes: registry.scopes,
    now: () => clock.now(),
    phase: onPhase === undefined ? () => undefined : onPhase,
    service: {
      name,
      slug: slugOf(name),
      environment: environmentOf(options.environment),
      publicUrl: options.publicUrl?.replace(/\/+$/, ''),
      features: options.plugins.map((plugin) => plugin.id),
    },
  };
  // The set of ports depends on the plugins: their types declare it, and the registry has checked it.
  return Object.assign(core, Object.fromEntries(portPools) as unknown as PluginPorts);
}

/** The services of plugins. Each is made at its first use, so that services may depend on each other. */
function createServices({ options, ports, registry }: Cradle): Services {
  const services: Record<string, unknown> = {};
  const context: ServiceContext = {
    services: services as unknown as Services,
    ports,
    log: logOf(options),
  };
  const define = (plugin: Plugin) => {
    for (const [name, factory] of Object.entries(plugin.services)) {
      let service: unknown;
      Object.defineProperty(services, name, {
        enumerable: true,
        get() {
          service ??= factory(context);
          return service;
        },
      });
    }
  };
  for (const plugin of registry.plugins) define(plugin);
  return services as unknown as Services;
}

function createRunnerPart(cradle: Cradle): JobRunner {
  const { settings = {} } = cradle.options;
  return createJobRunner({
    core: () => cradle.core,
    concurrency: settings.jobConcurrency ?? 10,
    outboundConcurrency: settings.outboundConcurrency ?? 500,
    durableEnds: settings.durableJobEnds ?? false,
    leaseMs: settings.jobLeaseMs ?? 60_000,
    pollMs: settings.jobPollMs ?? 1_000,
    queue: cradle.options.queue,
    queueLostAfterMs: settings.queueLostAfterMs ?? 900_000,
  });
}

function createLifecyclePart(cradle: Cradle): Lifecycle {
  const { options } = cradle;
  return createLifecycle(options.plugins, () => cradle.core, options.settings?.pluginStepMs ?? 10_000);
}

function createOutgoingPart({ options }: Cradle): Outgoing {
  return createOutgoing({ environment: environmentOf(options.environment), ...options.outgoing });
}

/** The subscribers of plugins; those of the program are added later. */
function createEventRouterPart({ registry }: Cradle): EventRouter {
  const router = createEventRouter(registry.events);
  for (const plugin of registry.plugins)
    for (const subscriber of plugin.subscribers)
      router.subscribe({ pattern: subscriber.event, kind: subscriberKind(subscriberName(plugin, subscriber)) });
  return router;
}

function createCore({ options, registry, opener, ports, services, jobRunner, eventRouter, telemetry }: Cradle): Core {
  const addedJobs = new Map(registry.jobs);
  const retention = resolveRetention(registry.retention, options.retention);
  const core: Core = {
    registry: { ...registry, jobs: addedJobs },
    eventRouter,
    consumerIds: registry.eventConsumers.map(({ id }) => id),
    jointConsumerIds: registry.eventConsumers.flatMap(({ id, dispatchEach }) =>
      dispatchEach === undefined ? [] : [id],
    ),
    addSubscriber(pattern, job) {
      if (addedJobs.has(job.kind)) throw new Error(`A subscriber with the name ${job.kind.slice(3)} already exists.`);
      addedJobs.set(job.kind, job);
      eventRouter.subscribe({ pattern, kind: job.kind });
    },
    settings: { ...settingsOf(options), idempotencyMs: retention.get('idempotency') ?? 0 },
    retention,
    plans: resolvePlans(options.plans ?? {}, registry.planLimits),
    limits: limitsOf(options, opener),
    adapters: { storage: options.storage, keyring: keyringOf(options), queue: options.queue },
    randomness: options.randomness ?? systemRandomness,
    ports,
    log: logOf(options),
    services,
    budgets: createBudgetMeter({
      database: () => opener.database(),
      isOpen: () => opener.isOpen,
      now: () => ports.now(),
      newId: (prefix) => ports.ids.create(prefix),
    }),
    budgetMarks: createBudgetMarks(),
    keyUsage: createKeyUsage(),
    requestLog:
      (options.requestLog ?? !isOnLambda())
        ? createRequestLog(logOf(options), (prefix) => ports.ids.create(prefix))
        : undefined,
    keyOfToken: (token, now) => findKeyOfToken(core, token, now),
    jobSignal: jobRunner.signal,
    precedence: new Precedence(),
    telemetry,
    innerCalls: (context, caller) => createInnerCalls(core, context, caller),
    database: () => opener.database(),
    anyDatabase: () => opener.anyDatabase(),
  };
  return core;
}

/** The composed container of one service. @throws CompositionError when plugins collide */
export function createServiceContainer(options: ServiceOptions<string>): Cradle {
  assertOptions(options);
  const container = createContainer<Cradle>({ injectionMode: InjectionMode.PROXY, strict: true });
  container.register({
    options: asValue(options),
    registry: asFunction(createRegistryPart).singleton(),
    opener: asFunction(createOpenerPart).singleton(),
    portPools: asFunction(({ options, registry }: Cradle) =>
      createPortPools(registry.ports, { ...options }),
    ).singleton(),
    lifecycle: asFunction(createLifecyclePart).singleton(),
    outgoing: asFunction(createOutgoingPart).singleton(),
    telemetry: asFunction(({ options }: Cradle) =>
      createTelemetry({ metrics: options.metrics !== undefined }),
    ).singleton(),
    eventRouter: asFunction(createEventRouterPart).singleton(),
    ports: asFunction(createPorts).singleton(),
    services: asFunction(createServices).singleton(),
    jobRunner: asFunction(createRunnerPart).singleton(),
    core: asFunction(createCore).singleton(),
  });
  return container.cradle;
}
