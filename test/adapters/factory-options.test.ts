// Every factory of an adapter, a host or a plugin refuses unknown options, and names the options that it needs.
// full-run: slow
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import knex from 'knex';
import { register } from 'tsx/esm/api';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { redisLimits } from '../../adapters/limits/redis.ts';
import { postmarkMail, postmarkReports } from '../../adapters/mail/postmark.ts';
import { sesReports } from '../../adapters/mail/ses.ts';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import { rssNews } from '../../adapters/news/rss.ts';
import { mysqlStorage } from '../../adapters/storage/mysql.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { checkOptions } from '../../core/index.ts';
import { fastifyHost } from '../../hosts/fastify/index.ts';
import { approvalsPlugin, emailPlugin } from '../../plugins/index.ts';
import { root } from '../support/bundle.ts';

// The factories are imported from their sources, even if this file is compiled.
register();

const test = suite('options of factories');

/** An instance without a connection. */
const onKnex = knex({ client: 'pg', connection: {} });

const factoryName =
  /^(?!define|create)[a-z]\w*(?:Mail|Reports|Storage|Limits|Queue|Sms|Social|Assets|Composer|Geo|News|Keyring|Connector|Host|Plugin)$/;

/** Factories that take no options. */
const withoutOptions: ReadonlySet<string> = new Set([
  ...['memoryLimits', 'twilioConnector', 'vonageConnector'],
  ...[
    'auditPlugin',
    'brandPlugin',
    'broadcastsPlugin',
    'campaignsPlugin',
    'contentPlanPlugin',
    'creationsPlugin',
    'eventsPlugin',
    'inboxPlugin',
    'jobsPlugin',
    'keysPlugin',
    'marketingPlugin',
    'operationsPlugin',
    'segmentsPlugin',
  ],
  ...['suppressionsPlugin', 'topicsPlugin', 'webhooksPlugin', 'workspacePlugin'],
]);

type Factory = (...given: unknown[]) => unknown;

/** The message of the error that the call throws. */
function refusalOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

async function modulePaths(): Promise<string[]> {
  const files = async (folder: string) =>
    (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name));
  const all = [...(await files('adapters')), ...(await files('hosts')), ...(await files('plugins'))];
  return all.filter((path) =>
    /^(?:adapters\/(?!kit\/)[^/]+\/[^/]+|hosts\/(?!cli\/)[^/]+\/index|plugins\/[^/]+\/plugin)\.ts$/.test(path),
  );
}

test('every factory refuses an unknown option', async () => {
  const checkedNames = new Set<string>();
  for (const path of await modulePaths()) {
    const moduleExports = (await import(pathToFileURL(join(root, path)).href)) as Record<string, unknown>;
    for (const [name, factory] of Object.entries(moduleExports)) {
      if (typeof factory !== 'function' || !factoryName.test(name) || withoutOptions.has(name)) continue;
      checkedNames.add(name);
      // The options are either the first or the second argument.
      const options = { nonsense: 1 };
      assert.match(
        refusalOf(() => (factory as Factory)(options, options)),
        new RegExp(`^${name} has no option nonsense\\.`),
        `${name} of ${path}`,
      );
    }
  }
  assert.ok(checkedNames.size > 60, [...checkedNames].join(', '));
});

const refusedCalls: readonly (readonly [Factory | unknown, readonly unknown[], RegExp])[] = [
  [
    postmarkMail,
    [{ servertoken: 'x' }],
    /has no option servertoken\. Did you mean serverToken\?.*\n.*needs the option serverToken\.$/,
  ],
  [postmarkMail, [{ serverToken: undefined }], /needs the option serverToken, and it is undefined\. Is a variable/],
  [postmarkMail, [], /^postmarkMail takes an object of options: serverToken, /],
  [postmarkReports, [{ username: 'a', password: undefined }], /needs the option password, and it is undefined/],
  [sesReports, [{ topics: 'x' }], /`topics` holds the ARNs/],
  [emailPlugin, [{ report: [] }], /^emailPlugin has no option report\. Did you mean reports\?/],
  [mysqlStorage, [{ url: 'mysql://a' }], /^mysqlStorage has no option url\. Did you mean uri\?/],
  [mysqlStorage, [{ uri: undefined }], /needs one of the options uri, .* is undefined/],
  [mysqlStorage, [{ uri: 'mysql://a', maxConnection: 2 }], /Did you mean maxConnections\?/],
  [postgresStorage, [{ connectionString: undefined }], /needs one of the options connectionString, /],
  [
    postgresStorage,
    [{ pool: onKnex.client.pool }],
    /^postgresStorage: pool is not a pool of pg\. Knex's own pool cannot be shared/,
  ],
  [mysqlStorage, [{ pool: onKnex }], /^mysqlStorage: pool is not a pool of mysql2\. Knex's own pool cannot be shared/],
  [mysqlStorage, [{ pool: {} }], /^mysqlStorage: pool is not a pool of mysql2\.$/],
  [redisLimits, [{ uri: 'redis://a' }], /Did you mean url\?/],
  [smtpMail, [{ hots: 'a' }], /Did you mean host\?.*\n.*needs the option host\.$/],
  [smtpMail, [{ host: 'a', auth: { username: 'x', pass: 'y' } }], /^smtpMail: auth has no option username\./],
  [smtpMail, [{ host: 'a', auth: { user: undefined, pass: 'y' } }], /option user, and it is undefined\. Is a variable/],
  [smtpMail, [{ host: 'a', tls: { rejectUnauthorised: false } }], /Did you mean rejectUnauthorized\?/],
  [approvalsPlugin, [{ policies: { email_templates: {} } }], /Did you mean email_template\?/],
  [approvalsPlugin, [{ policies: { page: { requird: true } } }], /the policy of page is not valid\. .*requird/],
  [rssNews, [{ feed: [] }], /^rssNews has no option feed\. Did you mean feeds\?.*\n.*needs the option feeds\.$/],
  [fastifyHost, [{}, { stopOnclose: true }], /Did you mean stopOnClose\?/],
];

for (const [factory, options, expected] of refusedCalls) {
  const { name } = factory as Factory;
  test(`${name} refuses ${JSON.stringify(options)}`, () => {
    assert.match(
      refusalOf(() => (factory as Factory)(...options)),
      expected,
    );
  });
}

test('optional options may be missing', () => {
  assert.ok(postgresStorage({}));
  assert.ok(mysqlStorage({ user: 'shop', database: 'shop' }));
  interface FaxOptions {
    readonly apiKey: string;
    readonly timeoutMs?: number | undefined;
  }
  const needs = { apiKey: 'required', timeoutMs: 'optional' } as const;
  checkOptions<FaxOptions>('acmeFax', { apiKey: 'x', timeoutMs: undefined }, needs);
});

test.run();
