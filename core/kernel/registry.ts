// Collects the declarations of the composed plugins and refuses collisions, naming both owners. Called by container.ts.

import type { PlanLimitDeclaration } from '../contract/context/workspace.ts';
import type { BearerTokens } from '../contract/declaration/bearer-tokens.ts';
import type { CommandDeclaration } from '../contract/declaration/command.ts';
import type { ConsoleEntry } from '../contract/declaration/console.ts';
import type { ContentKindId } from '../contract/declaration/content-kind.ts';
import type { CustomEventsDeclaration, EventConsumer, SubscriberDeclaration } from '../contract/declaration/events.ts';
import type { CallHolder, ContentKind } from '../contract/declaration/held-calls.ts';
import type { JobDeclaration, ScheduleDeclaration } from '../contract/declaration/jobs.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import { definePlugin, type Plugin } from '../contract/declaration/plugin.ts';
import type { ProvisioningFactory } from '../contract/declaration/provisioning.ts';
import type { PromptDeclaration, ResourceDeclaration } from '../contract/declaration/resource.ts';
import type { RetentionDeclaration } from '../contract/declaration/retention.ts';
import type { TimelineSource } from '../contract/declaration/timeline.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { errorDefinitions } from '../contract/errors/errors.ts';
import { didYouMean } from '../contract/errors/suggestion.ts';
import type * as z from '../contract/schemas/zod.ts';
import { budgetReachedJob } from '../jobs/budget-reached.ts';
import { dispatchJob, subscriberJob } from '../jobs/event-jobs.ts';
import { callAnyTool } from '../mcp/call-any.ts';
import { uriNames } from '../mcp/resource-uri.ts';
import type { Registry } from '../pipeline/core.ts';
import { familyOf, patternFault, reserveFamilies } from '../pipeline/event-patterns.ts';
import { planFaults } from '../pipeline/plans.ts';
import { createScopeRegistry } from '../pipeline/scopes.ts';
import { systemRoutes } from '../projections/system-routes.ts';
import { coreMigrations } from '../storage/core-migrations.ts';
import { coreTables } from '../storage/core-tables.ts';
import { consoleEntryFaults, consoleEntryName } from './console-entries.ts';
import { extensionFaults } from './contributions.ts';
import { coreEvents } from './core-events.ts';
import { listDeprecations } from './deprecations.ts';
import { byRequirement } from './lifecycle.ts';
import { checkResponses } from './operation-checks.ts';
import { personalTableFaults } from './personal-data-tables.ts';
import { type OwnedPort, optionFaults, portNameFaults } from './ports.ts';
import { collidingNames, publicRouteFaults } from './public-route-rules.ts';
import { coreRetention, retentionFaults } from './retention.ts';
import { scheduleFaults } from './schedule-faults.ts';
import { schemaFaults } from './schema-faults.ts';

/** Thrown when a service cannot be composed of its plugins and options; `faults` lists every reason. */
export class CompositionError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The service cannot be composed:\n- ${faults.join('\n- ')}`);
    this.name = 'CompositionError';
    this.faults = faults;
  }
}

/** A map that records the owner of each name and reports the second owner as a fault. */
class Owned<T> {
  readonly values = new Map<string, T>();
  readonly #owners = new Map<string, string>();
  readonly #kind: string;
  readonly #faults: string[];

  constructor(kind: string, faults: string[]) {
    this.#kind = kind;
    this.#faults = faults;
  }

  add(name: string, value: T, owner: string): void {
    const firstOwner = this.#owners.get(name);
    if (firstOwner !== undefined) {
      this.#faults.push(`The ${this.#kind} ${name} is declared by ${firstOwner} and by ${owner}.`);
      return;
    }
    this.#owners.set(name, owner);
    this.values.set(name, value);
  }
}

const sixMonthsMs = 182 * 86_400_000;

function checkOperation(
  operation: Operation,
  plugin: string,
  declaredScopes: ReadonlySet<string>,
  codes: ReadonlySet<string>,
  isUndeclared: (event: string) => boolean,
  faults: string[],
): void {
  const label = `The operation ${operation.id} of ${plugin}`;
  if (!operation.path.startsWith('/v1/')) faults.push(`${label} has a path outside /v1.`);
  if (operation.scopes.length === 0 && !operation.anyKey) faults.push(`${label} names neither scopes nor anyKey.`);
  for (const scope of operation.scopes)
    if (!declaredScopes.has(scope)) faults.push(`${label} names the undeclared scope ${scope}.`);
  for (const code of operation.errors)
    if (!codes.has(code)) faults.push(`${label} names the undeclared error ${code}.`);
  for (const type of operation.emits)
    if (isUndeclared(type)) faults.push(`${label} names the undeclared event ${type}.`);
  const isChange = operation.idempotency !== 'read';
  if (isChange && operation.audit === undefined)
    faults.push(
      `${label} changes something and has no audit action: give it audit, such as { action: 'deal.create' }.`,
    );
  if (isChange && operation.method === 'GET') faults.push(`${label} is a GET that is not declared a read.`);
  if (operation.idempotency === 'replay' && operation.timeoutSeconds > 110)
    faults.push(`${label} may outlive its idempotency lock of 120 s.`);
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  const declared = Object.keys(operation.input.params?.shape ?? {});
  if (names.join() !== declared.join())
    faults.push(
      `${label} has the path parameters ${names.join(', ') || 'none'}; its input.params declares ${declared.join(', ') || 'none'}.`,
    );
  checkFlatNames(operation, label, faults);
  checkResponses(operation, label, faults);
}

/** Tools and in-process calls put path, query and body into one object: a name must not have two meanings. */
function checkFlatNames(operation: Operation, label: string, faults: string[]): void {
  const { params, query, body } = operation.input;
  const renamed = Object.keys(params?.shape ?? {}).map((name) => operation.rename[name] ?? name);
  const merged = new Set(Object.values(operation.rename));
  const seen = new Set(renamed);
  for (const name of [...Object.keys(query?.shape ?? {}), ...Object.keys(body?.shape ?? {})]) {
    if (seen.has(name) && !merged.has(name)) faults.push(`${label} uses the name ${name} for two inputs.`);
    seen.add(name);
  }
}

/** A route without the names of its parameters. */
const routeName = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replace(/\{\w+\}/g, '{}')}`;

/** A URI must contain all path parameters of its operation, and may contain its query parameters. */
function checkResourceNames(uri: string, operation: Operation, label: string, faults: string[]): void {
  const { input, rename } = operation;
  const path = Object.keys(input.params?.shape ?? {}).map((name) => rename[name] ?? name);
  const accepted = new Set([...path, ...Object.keys(input.query?.shape ?? {})]);
  const names = uriNames(uri);
  for (const name of names)
    if (!accepted.has(name)) faults.push(`${label} has {${name}}, which ${operation.id} does not take.`);
  for (const name of path)
    if (!names.includes(name)) faults.push(`${label} lacks {${name}}, which ${operation.id} needs.`);
}

/**
 * Checks the other declarations of a plugin: its public routes stay outside the API, its resources and prompts name existing
 * operations.
 */
function checkOtherDeclarations(
  plugin: Plugin,
  known: {
    readonly operations: ReadonlyMap<string, Operation>;
    readonly tools: ReadonlyMap<string, Operation>;
    readonly resources: ReadonlyMap<string, ResourceDeclaration>;
  },
  faults: string[],
): void {
  for (const route of plugin.publicRoutes)
    faults.push(...publicRouteFaults(route, `The public route ${route.method} ${route.path} of ${plugin.id}`));
  for (const { uri, operation, list } of plugin.resources) {
    for (const id of list === undefined ? [operation] : [operation, list]) {
      if (known.operations.get(id)?.idempotency !== 'read')
        faults.push(`The resource ${uri} of ${plugin.id} names ${id}, which is not a composed read operation.`);
    }
    const read = known.operations.get(operation);
    if (read !== undefined) checkResourceNames(uri, read, `The resource ${uri} of ${plugin.id}`, faults);
  }
  for (const { task, tools, unless = [] } of plugin.toolWorkflows)
    for (const tool of tools.concat(unless))
      if (!known.tools.has(tool))
        faults.push(`The tool workflow "${task}" of ${plugin.id} names the unknown tool ${tool}.`);
  for (const { name, tools, arguments: promptArguments } of plugin.prompts) {
    const label = `The prompt ${name} of ${plugin.id}`;
    for (const tool of tools) if (!known.tools.has(tool)) faults.push(`${label} names the unknown tool ${tool}.`);
    for (const { resource } of promptArguments)
      if (resource !== undefined && !known.resources.has(resource))
        faults.push(`${label} names the unknown resource ${resource}.`);
  }
}

/** Adds a fault for each deprecation of less than six months: callers get at least so long before a deprecated part is removed. */
function checkDeprecations(declared: Pick<Registry, 'operations' | 'events'>, faults: string[]): void {
  for (const { title, since, sunset } of listDeprecations(declared)) {
    // In this format, the comparison also refuses an invalid date.
    if (!(Date.parse(sunset) - Date.parse(since) >= sixMonthsMs))
      faults.push(`The ${title} is removed less than six months after its deprecation.`);
  }
}

/** The core's own declarations, in a plugin's form. */
const corePlugin = (schedules: readonly ScheduleDeclaration[], jobs: readonly JobDeclaration[]): Plugin =>
  definePlugin({
    id: 'core',
    events: coreEvents,
    errors: errorDefinitions(coreErrors),
    tables: coreTables,
    migrations: coreMigrations,
    jobs,
    schedules,
    retention: coreRetention,
    extensionPoints: ['core.console', 'core.hosts'],
  });

/** A subscriber's name, unique over all plugins. */
export const subscriberName = ({ id }: Plugin, { name }: SubscriberDeclaration): string => `${id}.${name}`;

/** Collects all declarations and checks them. If `options` are given, checks them, too. @throws CompositionError */
export function createRegistry(
  plugins: readonly Plugin[],
  coreSchedules: readonly ScheduleDeclaration[],
  options?: Readonly<Record<string, unknown>>,
): Registry {
  const faults: string[] = [];
  const consumers = plugins.flatMap(({ eventConsumers }) => eventConsumers);
  const allPlugins = [corePlugin(coreSchedules, [dispatchJob(consumers), budgetReachedJob]), ...plugins];
  const ownedMap = <T>(kind: string) => new Owned<T>(kind, faults);
  const ids = ownedMap<Plugin>('plugin');
  const operations = ownedMap<Operation>('operation');
  const routes = ownedMap<Operation | undefined>('route');
  const tools = ownedMap<Operation>('tool');
  const scopes = ownedMap<Plugin['scopes'][number]>('scope');
  const events = ownedMap<Plugin['events'][number]>('event');
  const eventConsumers = ownedMap<EventConsumer>('event consumer');
  const errors = ownedMap<Plugin['errors'][number]>('error');
  const jobs = ownedMap<Plugin['jobs'][number]>('job');
  const tables = ownedMap<Plugin['tables'][string]>('table');
  const schedules = ownedMap<ScheduleDeclaration>('schedule');
  const retention = ownedMap<RetentionDeclaration>('retention');
  const services = ownedMap<unknown>('service');
  const provisioning = ownedMap<ProvisioningFactory<unknown>>('provisioning');
  const commands = ownedMap<CommandDeclaration>('command');
  const consoleEntries = ownedMap<ConsoleEntry>('console page');
  const prompts = ownedMap<PromptDeclaration>('prompt');
  const resources = ownedMap<ResourceDeclaration>('resource');
  const customEvents = ownedMap<CustomEventsDeclaration>('form of custom events');
  const ports = ownedMap<OwnedPort>('port');
  const extensionPoints = ownedMap<string>('extension point');
  const timeline = ownedMap<TimelineSource>('timeline source');
  const planLimits = ownedMap<PlanLimitDeclaration>('plan limit');
  const workspaceSettings = ownedMap<z.ZodType>('setting of workspaces');
  const contentKinds = ownedMap<ContentKind>('content kind');
  const callHolders = ownedMap<CallHolder>('holder');
  const bearerTokens = ownedMap<BearerTokens>('form of bearer tokens');

  for (const route of systemRoutes) routes.add(route, undefined, 'core');
  for (const plugin of allPlugins) {
    // Skipped: each of its declarations would be reported as a duplicate, dozens of lines for one mistake.
    if (ids.values.has(plugin.id)) {
      faults.push(`The plugin ${plugin.id} is listed twice.`);
      continue;
    }
    ids.add(plugin.id, plugin, plugin.id);
    for (const scope of plugin.scopes) scopes.add(scope.scope, scope, plugin.id);
    for (const event of plugin.events) {
      events.add(event.type, event, plugin.id);
      if (!/^[a-z_]+(\.[a-z_]+){1,2}$/.test(event.type))
        faults.push(`The event ${event.type} of ${plugin.id} is not named family.name or family.kind.name.`);
    }
    for (const consumer of plugin.eventConsumers) {
      eventConsumers.add(consumer.id, consumer, plugin.id);
      if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(consumer.countName))
        faults.push(`The count ${consumer.countName} of ${plugin.id} is not in snake_case.`);
    }
    for (const [name, declaration] of Object.entries(plugin.ports))
      ports.add(name, { plugin: plugin.id, declaration }, plugin.id);
    for (const point of plugin.extensionPoints) extensionPoints.add(point, plugin.id, plugin.id);
    for (const source of plugin.timeline) timeline.add(source.kind, source, plugin.id);
    for (const contentKind of plugin.contentKinds) contentKinds.add(contentKind.kind, contentKind, plugin.id);
    if (plugin.bearerTokens !== undefined) bearerTokens.add('of clients', plugin.bearerTokens, plugin.id);
    if (plugin.callHolder !== undefined) callHolders.add('of calls', plugin.callHolder, plugin.id);
    for (const subscriber of plugin.subscribers) {
      const job = subscriberJob(subscriberName(plugin, subscriber), (context, event) =>
        subscriber.handler(context, event),
      );
      jobs.add(job.kind, job, plugin.id);
    }
    if (plugin.customEvents !== undefined) customEvents.add('of callers', plugin.customEvents, plugin.id);
    faults.push(...personalTableFaults(plugin));
    for (const error of plugin.errors) errors.add(error.code, error, plugin.id);
    for (const job of plugin.jobs) jobs.add(job.kind, job, plugin.id);
    for (const schedule of plugin.schedules) {
      schedules.add(schedule.id, schedule, plugin.id);
      faults.push(...scheduleFaults(schedule, plugin.id));
    }
    for (const [name, declaration] of Object.entries(plugin.planLimits)) planLimits.add(name, declaration, plugin.id);
    for (const [name, schema] of Object.entries(plugin.workspaceSettings))
      workspaceSettings.add(name, schema, plugin.id);
    for (const [name, declaration] of Object.entries(plugin.retention)) retention.add(name, declaration, plugin.id);
    for (const [name, table] of Object.entries(plugin.tables)) tables.add(name, table, plugin.id);
    for (const [name, service] of Object.entries(plugin.services)) services.add(name, service, plugin.id);
    for (const [name, factory] of Object.entries(plugin.provisioning)) provisioning.add(name, factory, plugin.id);
    for (const command of plugin.commands) commands.add(command.name, command, plugin.id);
    for (const entry of plugin.console) consoleEntries.add(consoleEntryName(entry), entry, plugin.id);
    for (const prompt of plugin.prompts) prompts.add(prompt.name, prompt, plugin.id);
    for (const resource of plugin.resources) resources.add(resource.uri, resource, plugin.id);
    for (const route of plugin.publicRoutes)
      for (const name of collidingNames(route, routeName(route))) routes.add(name, undefined, plugin.id);
    for (const operation of plugin.operations) {
      operations.add(operation.id, operation, plugin.id);
      routes.add(routeName(operation), operation, plugin.id);
      if (operation.tool?.name === callAnyTool)
        faults.push(
          `The operation ${operation.id} of ${plugin.id} has the name of the endpoint's own tool ${callAnyTool}.`,
        );
      if (operation.tool !== undefined) tools.add(operation.tool.name, operation, plugin.id);
    }
  }
  const scopeNames = new Set(scopes.values.keys());
  const codes = new Set(errors.values.keys());
  const families = new Set([...events.values.keys()].map(familyOf));
  const reserved = customEvents.values.get('of callers')?.reservedFamilies;
  // Through its services, an operation may emit events of another plugin that is not composed. The family of such an event is
  // reserved.
  const isUndeclared = (event: string): boolean =>
    !events.values.has(event) && (families.has(familyOf(event)) || reserved?.includes(familyOf(event)) === false);
  for (const plugin of ids.values.values()) {
    for (const requiredId of plugin.requires) {
      if (ids.values.has(requiredId)) continue;
      const hint = didYouMean(
        requiredId,
        allPlugins.map(({ id }) => id).filter((id) => id !== plugin.id),
      );
      faults.push(`${plugin.id} requires the plugin ${requiredId}, which is not composed.${hint}`);
    }
    for (const operation of plugin.operations)
      checkOperation(operation, plugin.id, scopeNames, codes, isUndeclared, faults);
    const registry = { operations: operations.values, tools: tools.values, resources: resources.values };
    faults.push(...schemaFaults(plugin), ...consoleEntryFaults(plugin, scopeNames));
    checkOtherDeclarations(plugin, registry, faults);
  }
  for (const plugin of plugins)
    for (const { name, event } of plugin.subscribers) {
      // An event of a plugin that is not composed is not a fault: its subscriber never runs, because custom events cannot have
      // a reserved family.
      const fault = families.has(familyOf(event)) ? patternFault(events.values, event) : undefined;
      if (fault !== undefined) faults.push(`The subscriber ${name} of ${plugin.id}: ${fault}`);
    }
  for (const cycle of byRequirement(plugins).cycles) faults.push(`These plugins require each other: ${cycle}.`);
  faults.push(...portNameFaults(ports.values), ...extensionFaults(ids.values, extensionPoints.values));
  if (options !== undefined)
    faults.push(
      ...optionFaults(ports.values, options),
      ...retentionFaults(retention.values, options['retention']),
      ...planFaults(planLimits.values, options['plans']),
    );
  checkDeprecations({ operations: operations.values, events: events.values }, faults);
  if (faults.length > 0) throw new CompositionError(faults);
  reserveFamilies(events.values, reserved ?? []);
  return {
    plugins: allPlugins,
    operations: operations.values,
    tools: tools.values,
    publicRoutes: allPlugins.flatMap(({ publicRoutes }) => publicRoutes),
    resources: [...resources.values.values()],
    prompts: prompts.values,
    commands: commands.values,
    events: events.values,
    customEvents: customEvents.values.get('of callers'),
    eventConsumers: consumers,
    errors: errors.values,
    jobs: jobs.values,
    schedules: [...schedules.values.values()],
    retention: retention.values,
    tables: tables.values,
    ports: ports.values,
    timeline: [...timeline.values.values()],
    consoleEntries: [...consoleEntries.values.values()],
    contentKinds: contentKinds.values as ReadonlyMap<ContentKindId, ContentKind>,
    callHolder: callHolders.values.get('of calls'),
    bearerTokens: bearerTokens.values.get('of clients'),
    planLimits: planLimits.values,
    workspaceSettings: workspaceSettings.values,
    migrations: allPlugins.map(({ id, migrations }) => ({ namespace: id, migrations })),
    scopes: createScopeRegistry([...scopes.values.values()]),
  };
}
