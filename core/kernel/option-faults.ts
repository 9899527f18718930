// Checks the program's options before anything is composed: callers in plain JavaScript have no types, and a value of the wrong
// shape would only fail in a later call. ports.ts checks the names of options and ports, because it knows the composed plugins.
// Called by container.ts.

import { definePlugin, type Plugin } from '../contract/declaration/plugin.ts';
import { didYouMean } from '../contract/errors/suggestion.ts';
import { parseUrl } from '../contract/values/parse-url.ts';
import { isOrigin } from '../projections/cors.ts';
import type { CoreOptions } from './options.ts';
import { CompositionError } from './registry.ts';

type Check = (name: string, value: unknown) => readonly string[];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasMethods = (value: unknown, methods: readonly string[]): boolean =>
  isObject(value) && methods.every((name) => typeof value[name] === 'function');

/** Checks a value with `is`. The fault says that the option must be `description`. */
const must =
  (is: (value: unknown) => boolean, description: string): Check =>
  (name, value) =>
    is(value)
      ? []
      : [`The option ${name} of createService must be ${description}.${value === '' ? ' It is an empty text.' : ''}`];

const text = (description: string): Check => must((value) => typeof value === 'string' && value !== '', description);
const flag = must((value) => typeof value === 'boolean', 'true or false');
const wholeFrom = (min: number, unit: string): Check =>
  must(
    (value) => Number.isSafeInteger(value) && (value as number) >= min,
    `a whole number of ${unit}, at least ${min}`,
  );
const oneOf = (...values: readonly string[]): Check =>
  must((value) => values.includes(value as string), values.map((value) => `'${value}'`).join(' or '));
const methods = (names: readonly string[], description: string): Check =>
  must((value) => hasMethods(value, names), description);
const texts = must(
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'a list of strings',
);
const anything: Check = () => [];

/** Checks an object that has only these members. */
const members =
  (known: Readonly<Record<string, Check>>): Check =>
  (name, value) => {
    if (!isObject(value)) return [`The option ${name} of createService must be an object.`];
    return Object.entries(value).flatMap(([member, memberValue]) => {
      if (memberValue === undefined) return [];
      const path = `${name}.${member}`;
      const names = Object.keys(known);
      if (Object.hasOwn(known, member)) return known[member]?.(path, memberValue) ?? [];
      return [`createService has no option ${path}.${didYouMean(member, names)} Available: ${names.join(', ')}.`];
    });
  };

const isWebAddress = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:$/.test(parseUrl(value)?.protocol ?? '');

const settings = members({
  maxBodyBytes: wholeFrom(1, 'bytes'),
  onStoreFailure: oneOf('allow', 'deny'),
  toolOrigins: texts,
  jobConcurrency: wholeFrom(1, 'jobs'),
  outboundConcurrency: wholeFrom(1, 'jobs'),
  durableJobEnds: flag,
  jobLeaseMs: wholeFrom(1, 'milliseconds'),
  jobPollMs: wholeFrom(1, 'milliseconds'),
  queueLostAfterMs: wholeFrom(1, 'milliseconds'),
  pluginStepMs: wholeFrom(1, 'milliseconds'),
} satisfies Record<keyof NonNullable<CoreOptions['settings']>, Check>);

const settingNames = ['maxBodyBytes', 'onStoreFailure', 'toolOrigins', 'jobConcurrency', 'outboundConcurrency'];

/** A limit store is recognised by its methods. Any other object was probably meant as `settings`, or as `plans`. */
const limits: Check = (name, value) => {
  if (typeof value === 'function' || hasMethods(value, ['take', 'close'])) return [];
  const [misplaced] = isObject(value) ? Object.keys(value).filter((member) => settingNames.includes(member)) : [];
  const hint =
    misplaced === undefined
      ? ' Rate limits belong in plans.'
      : ` ${misplaced} belongs in settings: { ${misplaced}: … }.`;
  return [
    `The option ${name} of createService must be a limit store, such as memoryLimits() or redisLimits(…).${hint}`,
  ];
};

const isMemberTable = (value: unknown): boolean =>
  isObject(value) && (typeof value['list'] === 'function' || Object.values(value).every(Array.isArray));

const isPlugin = (value: unknown): value is Plugin =>
  isObject(value) && typeof value['id'] === 'string' && Array.isArray(value['operations']);

const pluginFields: ReadonlySet<string> = new Set([
  ...Object.keys(definePlugin({ id: 'any' })),
  ...(['start', 'flush', 'stop'] satisfies (keyof Plugin)[]),
]);

/** A misspelt field would be dropped silently, together with its operations or jobs. */
const unknownFields = (plugin: Plugin): string[] =>
  Object.keys(plugin)
    .filter((field) => !pluginFields.has(field))
    .map(
      (field) =>
        `The plugin ${plugin.id} has the field ${field}, which definePlugin does not know.${didYouMean(field, pluginFields)}`,
    );

const plugins: Check = (_name, value) => {
  if (!Array.isArray(value)) {
    const hint = isPlugin(value) ? ' Put a single plugin into a list, too: [plugin].' : '';
    return [
      `The option plugins of createService must be a list of plugins, such as standardPlugins of the package's /plugins.${hint}`,
    ];
  }
  return value.flatMap((plugin: unknown, index) =>
    isPlugin(plugin)
      ? unknownFields(plugin)
      : [
          `plugins[${index}] is not a plugin${typeof plugin === 'function' ? ', but a function: call it to make the plugin' : ': make it with definePlugin'}.`,
        ],
  );
};

const checks: Readonly<Record<keyof CoreOptions | 'plugins', Check>> = {
  storage: methods(['open'], "a storage adapter, such as sqliteStorage({ filename: 'app.sqlite' })"),
  plugins,
  name: text('a name of 1 to 20 letters or digits'),
  environment: oneOf('development', 'production'),
  keyring: methods(['open'], 'a keyring, such as localKeyring({ keys })'),
  limits,
  queue: methods(['send', 'consume', 'check', 'close'], "an external queue, such as bullmqQueue({ url: 'redis://…' })"),
  members: must(isMemberTable, 'an object with a method list(workspaceId), or lists of members by workspace'),
  access: must((value) => typeof value === 'function', 'a function that returns who is signed in'),
  privateNetworks: flag,
  // The registry checks them, with the limits that plugins declare.
  plans: anything,
  retention: anything,
  openapi: members({ public: flag }),
  cors: members({
    origins: must(
      (value) => Array.isArray(value) && value.every(isOrigin),
      "a list of origins such as ['https://app.example.com'], each with a scheme and a host, without a path; * is not allowed",
    ),
  }),
  outgoing: members({
    allow: texts,
    ca: must((value) => typeof value === 'string' || Array.isArray(value), 'a PEM certificate, or a list of them'),
    resolve: must((value) => typeof value === 'function', 'a function'),
    answer: must((value) => typeof value === 'function', 'a function'),
  }),
  logger: methods(
    ['debug', 'info', 'warn', 'error'],
    'a logger with the methods debug, info, warn and error, such as pino()',
  ),
  publicUrl: must(
    isWebAddress,
    'the address at which the service is mounted, such as https://app.example.com/messaging',
  ),
  tablePrefix: text('a prefix such as mail_'),
  requestLog: flag,
  metrics: must(
    (value) =>
      isObject(value) &&
      (typeof value['guard'] === 'function' || (typeof value['token'] === 'string' && value['token'].length >= 16)),
    'an object with a token of at least 16 characters, or with a function guard(request)',
  ),
  settings,
  clock: methods(['now'], 'a clock: { now: () => number }'),
  randomness: methods(['bytes'], 'a source of random bytes: { bytes: (length) => Uint8Array }'),
  onPhase: must((value) => typeof value === 'function', 'a function'),
  queryPlugins: must(Array.isArray, 'a list of Kysely plugins'),
};

const required: ReadonlySet<string> = new Set(['storage', 'plugins']);

/** Checks the options of createService. @throws CompositionError that names every wrong option, and the right form */
export function assertOptions(options: unknown): void {
  if (!isObject(options)) {
    throw new CompositionError([
      'createService takes one object of options: createService({ plugins: standardPlugins, storage, mail }).',
    ]);
  }
  const faults = Object.entries(checks).flatMap(([name, check]) => {
    const value = options[name];
    return value === undefined && !required.has(name) ? [] : check(name, value);
  });
  if (faults.length > 0) throw new CompositionError(faults);
}
