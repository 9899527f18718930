// createService: composes the core, the plugins and the adapters into one value that hosts mount and programs call.
// Construction does no I/O; the first call, start() or migrate() opens the database.
import type { JoinedTransaction, OpenTransaction } from '../contract/context/api.ts';
import type { Calls, PluginId } from '../contract/context/calls.ts';
import type { ProvisioningOf } from '../contract/declaration/provisioning.ts';
import type { HttpRequest, HttpResponse } from '../contract/http/http.ts';
import type { QueueCalls } from '../contract/ports/queue.ts';
import type { DrainOptions, DrainReport, JobRunner, StartOptions } from '../jobs/index.ts';
import type { McpEndpoint } from '../mcp/endpoint.ts';
import type { Core } from '../pipeline/core.ts';
import { asyncapiDocument } from '../projections/asyncapi.ts';
import { type ToolDefinition, toolCatalogue } from '../projections/mcp.ts';
import { createObservationRoutes } from '../projections/observation-routes.ts';
import { openapiDocument } from '../projections/openapi.ts';
import { release } from '../projections/release.ts';
import { createRestDispatch } from '../projections/rest.ts';
import { createSystemRoutes } from '../projections/system-routes.ts';
import {
  applyMigrations,
  assertUsable,
  type MigrationStatus,
  migrationStatus,
  type NamedMigration,
  type PlannedMigration,
} from '../storage/migrate.ts';
import { type Changelog, createChangelog } from './changelog.ts';
import { createServiceContainer } from './container.ts';
import { createFetch, type FetchOptions } from './fetch.ts';
import { type CallerOptions, checkCaller, createCalls } from './in-process.ts';
import { rememberFirstKey } from './keyring-check.ts';
import { runAll, throwCollected } from './lifecycle.ts';
import type { ServiceOptions } from './options.ts';
import { createPersonalDataProvisioning, type PersonalDataProvisioning } from './personal-data-provisioning.ts';
import { wrapTransaction } from './program-transaction.ts';
import { addProvisioned } from './provisioned.ts';
import {
  createKeyProvisioning,
  createWorkspaceProvisioning,
  type KeyProvisioning,
  type WorkspaceProvisioning,
} from './provisioning.ts';
import { createPublicRoutes } from './public-routes.ts';
import { createRequestDrivenUpkeep } from './request-driven-upkeep.ts';
import { createSubscribe, type Subscribe } from './subscriptions.ts';

/**
 * The type of a composed service, for function parameters. `Service` is any service, and its operations cannot be called by
 * name; `Service<'notes' | 'tasks'>` is any service with at least these plugins. A name that no plugin has does not compile.
 */
export type Service<Ids extends PluginId = never> = ServiceOf<Ids>;

/**
 * The result of createService. `Ids` are the ids of the composed plugins; a plugin without typed calls may have any id.
 * `Offered` follows from `Ids`. Do not pass it: it is a type parameter only so that TypeScript compares services by their calls.
 */
export type ServiceOf<Ids extends string, Offered = Calls<Ids>> = ComposedService<Offered> & ProvisioningOf<Ids>;

/** The members of every service, whatever its plugins. */
interface ComposedService<Offered> extends QueueCalls {
  /** Handles one request on plain objects; never throws. Hosts are built on it. */
  dispatch(request: HttpRequest): Promise<HttpResponse>;
  /** The same for hosts that use fetch. `basePath` is removed from the URL's path; `address` is the client's. */
  fetch(request: Request, options?: FetchOptions): Promise<Response>;
  /** Typed calls in a workspace: `service.as(id).email.send({ … })`. They have every scope. */
  as(workspaceId: string, caller?: CallerOptions): Offered;
  /**
   * Wraps an open transaction of the program: pass the result as `trx`, and call its `committed()` after your commit.
   */
  join(trx: OpenTransaction): JoinedTransaction & object;
  /**
   * Calls `handler` with every event of the pattern, in any process that runs jobs: as a durable job with eight attempts
   * over 31 hours, at least once. Register it before start(), in every process, like plugins. `order.paid`, `order.*`,
   * `*`, or the name of a custom event.
   */
  on: Subscribe;
  readonly workspaces: WorkspaceProvisioning;
  readonly keys: KeyProvisioning;
  /** Exports and erases a person's data. */
  readonly personalData: PersonalDataProvisioning;
  readonly changelog: Changelog;
  /** Brings the schema up to date under a lock. Returns the applied migrations, without their SQL. */
  migrate(): Promise<readonly NamedMigration[]>;
  /** The migrations that migrate() would run, as SQL. Changes nothing. */
  pendingMigrations(): Promise<readonly PlannedMigration[]>;
  /**
   * The pending migrations, the applied migrations with the time and release of each, and the applied migrations of a later release
   * that this release does not know.
   */
  migrationStatus(): Promise<MigrationStatus>;
  /**
   * Starts the plugins' own steps, then jobs and schedules in this process.
   * @throws if migrations are pending, or if a later release removed something from the schema that this release uses (every
   * other call is then refused, too), and after stop()
   */
  start(options?: StartOptions): Promise<void>;
  /** Runs due schedules and jobs, flushes the plugins, and returns: for tests and for serverless functions. */
  drain: JobRunner['drain'];
  /**
   * Finishes the unfinished work of earlier calls in this process, so that the process can be frozen or ended. Writes the
   * buffers of the plugins and the log of requests, and gives reserved budgets back. Passes the written jobs to the queue; without
   * a queue, runs due jobs within the limits. If there is no such work, it makes no query. For hosts of serverless functions.
   */
  settle(limits?: DrainOptions): Promise<void>;
  /**
   * Lists failed and waiting jobs. `retry` makes such a job ready. `runSchedules` runs due schedules, as a started
   * process does by itself.
   */
  readonly jobs: Pick<JobRunner, 'list' | 'retry' | 'runSchedules'>;
  /**
   * Stops claiming, waits for running work, flushes and stops the plugins, closes all connections that the service opened.
   * Continues after an error. Close the server first: later calls, including start(), are refused with service_unavailable.
   * @throws AggregateError for several errors
   */
  stop(): Promise<void>;
  /** The OpenAPI 3.1 document of the composed operations. */
  openapi(): Record<string, unknown>;
  /** The AsyncAPI 3.0 document of the composed events. */
  asyncapi(): Record<string, unknown>;
  /** The tools as a key with every scope sees them, before a workspace narrows their schemas. */
  tools(): { readonly tools: readonly ToolDefinition[] };
  /** The composed core: for hosts, plugins' tests and the command line. Not covered by the semver promise. */
  readonly core: Core;
}

/**
 * Composes a service.
 * @throws CompositionError naming every collision and every unmet requirement, RangeError for an invalid tablePrefix
 */
export function createService<const Ids extends string>(options: ServiceOptions<Ids>): ServiceOf<Ids> {
  const { core, opener, portPools, jobRunner, lifecycle } = createServiceContainer(options);
  const { publicOpenapi } = core.settings;
  const openapi = () => openapiDocument(core.registry, { ...core.ports.service, publicOpenapi });
  const asyncapi = () => asyncapiDocument(core.registry, core.ports.service);
  /**
   * The error of the last start(), until a start() succeeds. Readiness reports it, so that a process that delivers
   * nothing does not look healthy.
   */
  let startFault: Error | undefined;
  const readiness = [
    async () => assertUsable(await core.anyDatabase(), { all: core.registry.migrations, release }),
    async () => options.queue?.check(),
    async () => {
      if (startFault === undefined) return;
      // Throws if the service was stopped: then the refusal is already logged.
      await core.anyDatabase();
      throw startFault;
    },
  ];
  let loadedEndpoint: Promise<McpEndpoint> | undefined;
  const mcpEndpoint: McpEndpoint = {
    async handle(request, requestId) {
      loadedEndpoint ??= import('../mcp/endpoint.ts').then(({ createMcpEndpoint }) => createMcpEndpoint(core));
      return (await loadedEndpoint).handle(request, requestId);
    },
  };
  const respond = createRestDispatch(core, [
    ...createSystemRoutes(core, { openapi, asyncapi }, mcpEndpoint),
    ...createObservationRoutes(core, options.metrics, readiness),
    ...createPublicRoutes(core, openapi),
  ]);
  const migrations = { all: core.registry.migrations, release };
  const status = async () => migrationStatus(await core.anyDatabase(), migrations);
  const requestUpkeep = createRequestDrivenUpkeep(core, async () => {
    await lifecycle.flush();
    await jobRunner.upkeep();
  });
  let firstKeyStored: Promise<void> | undefined;
  const ensureFirstKeyStored = (): Promise<void> => {
    if (firstKeyStored === undefined) {
      firstKeyStored = rememberFirstKey(core);
      firstKeyStored.catch(() => {
        firstKeyStored = undefined;
      });
    }
    return firstKeyStored;
  };
  const dispatch = async (request: HttpRequest): Promise<HttpResponse> => {
    const response = await respond(request);
    requestUpkeep.afterRequest();
    return response;
  };
  const service: ComposedService<Calls<Ids>> = {
    dispatch,
    fetch: createFetch(dispatch),
    as(workspaceId, caller = {}) {
      checkCaller(workspaceId, caller);
      return createCalls(core, workspaceId, caller) as Calls<Ids>;
    },
    join: (trx) => wrapTransaction(core, trx),
    on: createSubscribe(core),
    workspaces: createWorkspaceProvisioning(core),
    keys: createKeyProvisioning(core),
    personalData: createPersonalDataProvisioning(core),
    changelog: createChangelog(core),
    migrate: async () =>
      (await applyMigrations(await core.anyDatabase(), migrations)).map(({ sql: _, ...name }) => name),
    pendingMigrations: async () => (await status()).pending,
    migrationStatus: status,
    async start(startOptions) {
      try {
        // Checked again: the database may have been migrated since the first call.
        await core.telemetry.load();
        await assertUsable(await core.anyDatabase(), migrations);
        await ensureFirstKeyStored();
        await lifecycle.start();
        await jobRunner.start(startOptions);
        startFault = undefined;
      } catch (cause) {
        startFault = new Error('The last start() of this process failed: it delivers nothing. Call it again.', {
          cause,
        });
        throw cause;
      }
      await requestUpkeep.end();
    },
    async drain(limits) {
      let report: DrainReport | undefined;
      // Flushed before the jobs, because a flush may write jobs, and after them, because jobs may fill the buffers
      // again.
      const faults = await runAll([
        () => lifecycle.flush(),
        async () => {
          await ensureFirstKeyStored();
          const schedules = await jobRunner.runSchedules();
          const jobs = await jobRunner.drain(limits);
          report = { ...jobs, failed: jobs.failed + schedules.failed.length };
        },
        () => lifecycle.flush(),
      ]);
      throwCollected(faults, 'Several steps of the drain failed.');
      return report as DrainReport;
    },
    async settle(limits) {
      const faults = await runAll([
        () => requestUpkeep.idle(),
        () => lifecycle.flush(),
        async () => {
          if (!jobRunner.pending || limits?.budgetMs === 0) return;
          if (options.queue === undefined) await jobRunner.drain(limits);
          else await jobRunner.relayPending(limits);
        },
        () => lifecycle.flush(),
        async () => {
          if (core.budgets.hasReservations || core.requestLog?.pending) await jobRunner.upkeep();
        },
      ]);
      throwCollected(faults, 'Several steps of settling failed.');
    },
    relayPending: jobRunner.relayPending,
    runMessages: jobRunner.runMessages,
    jobs: jobRunner,
    async stop() {
      await requestUpkeep.end();
      const steps = [
        () => jobRunner.stop(),
        () => lifecycle.stop(),
        ...[...portPools.values()].map((pool) => () => pool.close()),
        async () => options.queue?.close(),
        () => core.ports.outgoing.close(),
        () => core.limits.close(),
        () => opener.close(),
      ];
      throwCollected(await runAll(steps), 'The service could not be stopped cleanly.');
    },
    openapi,
    asyncapi,
    tools: () => toolCatalogue(core.registry.tools),
    core,
  };
  addProvisioned(service, core);
  return service as ServiceOf<Ids>;
}
