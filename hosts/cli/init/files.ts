// The files that `init` writes and the lines that it prints: text only.
import { posix } from 'node:path';
import type { Detected, InitDatabase, InitHost } from './detect.ts';
import { ownSchema } from './migration-tools.ts';

/** A project as `init` sets it up. */
export interface InitPlan {
  readonly host: InitHost;
  readonly database: InitDatabase;
  readonly detected: Detected;
  /** The path of the existing config in the project; undefined if the config is to be written. */
  readonly existing: string | undefined;
}

/** A file of the project, by its path in the project. */
export interface PlannedFile {
  readonly path: string;
  readonly note: string;
  readonly content: string;
}

const pathBelowSources = ({ sources }: Detected, name: string): string =>
  sources === '' ? name : `${sources}/${name}`;

/** The ending of the config. It makes the config an ES module regardless of package.json, because Postrider is an ES module. */
function endingOf({ typescript, modules }: Detected): 'ts' | 'mts' | 'mjs' {
  if (!typescript) return 'mjs';
  return modules ? 'ts' : 'mts';
}

/** The path of the config, whether it exists or is to be written. */
export const configPath = ({ detected, existing }: InitPlan): string =>
  existing ?? pathBelowSources(detected, `postrider.config.${endingOf(detected)}`);

/** The import path of a file beside the sources. It uses the compiled name, unless the compiler rewrites endings. */
function importOf(path: string, { sources, tsEndings }: Detected): string {
  const relativePath = posix.relative(sources, path);
  const name = relativePath.startsWith('.') ? relativePath : `./${relativePath}`;
  return tsEndings ? name : name.replace(/\.([mc]?)ts$/, '.$1js');
}

interface StorageChoice {
  readonly imports: string;
  readonly code: string;
  /** Like `code`, for a function with many instances, each of which handles one event at a time. (Default: `code`) */
  readonly codeForFunction?: string;
  /** The npm package of its driver. */
  readonly driver: string;
  /** The environment variable with the location of the database. */
  readonly variable: string;
  /** Its line in .env, with the comment above it. */
  readonly lines: readonly [comment: string, assignment: string];
}

const storages: Readonly<Record<InitDatabase, StorageChoice>> = {
  sqlite: {
    imports: "import { sqliteStorage } from 'postrider/adapters/storage/sqlite';",
    code: 'sqliteStorage({ filename: POSTRIDER_DATABASE })',
    driver: 'better-sqlite3',
    variable: 'POSTRIDER_DATABASE',
    lines: ['# The file of the database', 'POSTRIDER_DATABASE=postrider.sqlite'],
  },
  postgres: {
    imports: "import { postgresStorage } from 'postrider/adapters/storage/postgres';",
    code: `postgresStorage({ connectionString: DATABASE_URL, schema: '${ownSchema}' })`,
    codeForFunction: `postgresStorage({ connectionString: DATABASE_URL, schema: '${ownSchema}', maxConnections: 2 })`,
    driver: 'pg',
    variable: 'DATABASE_URL',
    lines: ['# The database', 'DATABASE_URL=postgres://user:password@127.0.0.1:5432/app'],
  },
  mysql: {
    imports: "import { mysqlStorage } from 'postrider/adapters/storage/mysql';",
    code: 'mysqlStorage({ uri: DATABASE_URL })',
    codeForFunction: 'mysqlStorage({ uri: DATABASE_URL, maxConnections: 2 })',
    driver: 'mysql2',
    variable: 'DATABASE_URL',
    lines: ['# The database, which must exist', 'DATABASE_URL=mysql://user:password@127.0.0.1:3306/app'],
  },
};

/** The variable that the config requires. */
export const requiredVariable = ({ database }: InitPlan): string => storages[database].variable;

/** The line of that variable in .env. */
export const requiredLine = ({ database }: InitPlan): string => storages[database].lines[1];

const queueLines = `
  // With a queue of SQS, answers do not wait for the jobs. Without one, the function does them before it answers.
  ...(QUEUE_URL === '' ? {} : { queue: sqsQueue({ url: QUEUE_URL }) }),`;

/** The config: the service of the project. */
export function configFile(plan: InitPlan): PlannedFile {
  const { imports, variable, code, codeForFunction = code } = storages[plan.database];
  const isFunction = plan.host === 'lambda';
  return {
    path: configPath(plan),
    note: 'the service: plugins, database, mail, keys',
    content: `// The messaging service of this project: mounted by its program, found here by the command line (npx postrider).
import { createService } from 'postrider';
import { localKeyring } from 'postrider/adapters/keyring/local';
import { captureMail } from 'postrider/adapters/mail/capture';
import { smtpMail } from 'postrider/adapters/mail/smtp';
${isFunction ? "import { sqsQueue } from 'postrider/adapters/queue/sqs';\n" : ''}${imports}
import { standardPlugins } from 'postrider/plugins';

const {
  ${variable},
  NODE_ENV,
  SMTP_HOST = '',
  SMTP_PORT = '587',
  SMTP_USER = '',
  SMTP_PASSWORD = '',
  POSTRIDER_KEY = '',
  POSTRIDER_URL = '',${isFunction ? "\n  QUEUE_URL = ''," : ''}
} = process.env;

// No default: without .env this program would use another database than the command line, and not notice.
if (!${variable})
  throw new Error('${variable} is not set. Put it into .env: npx postrider reads that file, and node --env-file=.env does.');
if (NODE_ENV === 'production' && SMTP_HOST === '')
  throw new Error('SMTP_HOST is not set, and in production mail would be kept and not sent. Set it, or change mail in this file.');

export default createService({
  plugins: standardPlugins,
${plan.database === 'postgres' ? '  // In a schema of its own, apart from your tables.\n' : ''}  storage: ${isFunction ? codeForFunction : code},${isFunction ? queueLines : ''}
  // In development mail is kept where there is no mail server, and npx postrider dev shows it in the inbox.
  mail:
    SMTP_HOST === ''
      ? captureMail()
      : smtpMail({
          host: SMTP_HOST,
          port: Number(SMTP_PORT),
          ...(SMTP_USER === '' ? {} : { auth: { user: SMTP_USER, pass: SMTP_PASSWORD } }),
        }),
  // Encrypts secrets in the database. In development a key is made in .postrider/; production refuses to start
  // without POSTRIDER_KEY.
  ...(POSTRIDER_KEY === '' ? {} : { keyring: localKeyring({ keys: POSTRIDER_KEY }) }),
  ...(POSTRIDER_URL === '' ? {} : { publicUrl: POSTRIDER_URL }),
});
`,
  };
}

/** The variables that the config reads, except the variable of the database. Each is below its comment. */
const optionalLines = (host: InitPlan['host']): readonly string[] => [
  '# The mail server. Without one, mail is kept and not sent, and production refuses to start',
  'SMTP_HOST=',
  'SMTP_PORT=587',
  '# Leave empty if the server requires no login',
  'SMTP_USER=',
  'SMTP_PASSWORD=',
  '# In production only. Make one with: openssl rand -base64 32. With the key of development behind it: 2026-11:NEW,development:OLD',
  'POSTRIDER_KEY=',
  '# The public address of the mounted service, such as https://app.example.com/messaging',
  'POSTRIDER_URL=',
  ...(host === 'lambda'
    ? [
        '# The URL of the SQS queue that calls the function with its jobs. Without one, the function does them itself',
        'QUEUE_URL=',
      ]
    : []),
];

/** The file .env.example: the variables that the config reads. */
export function exampleFile({ database, host }: InitPlan): PlannedFile {
  return {
    path: '.env.example',
    note: 'the variables that the config reads',
    content: [...storages[database].lines, ...optionalLines(host), ''].join('\n'),
  };
}

/** The file .env: the values of this machine. It sets the database and contains the other variables as comments to fill in. */
export function environmentFile({ database, host }: InitPlan): PlannedFile {
  return {
    path: '.env',
    note: 'their values on this machine; never commit it',
    content: [
      ...storages[database].lines,
      ...optionalLines(host).map((line) => (line.startsWith('#') ? line : `# ${line}`)),
      '',
    ].join('\n'),
  };
}

/** The lines that the user has to add to the program. */
export interface Mount {
  readonly lines: readonly string[];
  readonly note: string | undefined;
}

/** An import at the top of the program. A CommonJS program requires the module, which every supported Node can do. */
function importLine({ detected }: InitPlan, bindings: string, from: string): string {
  const { typescript, modules } = detected;
  if (typescript || modules) return `import ${bindings} from '${from}';`;
  const isCommonJs = /\.c?js$/.test(from);
  const names = bindings.startsWith('{') || isCommonJs ? bindings : `{ default: ${bindings} }`;
  return `const ${names} = require('${from}');`;
}

/** The code that starts the service. A process that cannot deliver exits, so that its platform restarts it or shows the error. */
const startOf = ({ modules }: Detected): readonly string[] =>
  modules
    ? ['await service.start();']
    : ['service.start().catch((error) => {', '  console.error(error);', '  process.exit(1);', '});'];

/** The code that stops the service. Without its time limit, slow requests would keep the process running until the platform kills it. */
const stopOf = (close: string, server: string): readonly string[] => [
  "process.once('SIGTERM', () => {",
  `  ${close};`,
  `  setTimeout(() => ${server}.closeAllConnections(), 10_000).unref();`,
  '});',
];

/** How the service is mounted in the program. */
export function mountOf(plan: InitPlan): Mount {
  const { host, detected } = plan;
  const config = importLine(plan, 'service', importOf(configPath(plan), detected));
  const start = '// Delivers mail in this process. Run npx postrider migrate before it, once per deploy.';
  const order = '// When the process ends, it finishes its requests within ten seconds, then stops the service.';
  switch (host) {
    case 'express':
      return {
        lines: [
          importLine(plan, '{ expressHost }', 'postrider/express'),
          config,
          '',
          "app.use('/messaging', expressHost(service));",
          start,
          ...startOf(detected),
          `${order} app.listen() returned server.`,
          ...stopOf('server.close(() => void service.stop())', 'server'),
        ],
        note: undefined,
      };
    case 'fastify':
      return {
        lines: [
          importLine(plan, '{ fastifyHost }', 'postrider/fastify'),
          config,
          '',
          "app.register(fastifyHost(service), { prefix: '/messaging' });",
          start,
          "app.addHook('onReady', () => service.start());",
          order,
          ...stopOf('void app.close()', 'app.server'),
        ],
        note: undefined,
      };
    case 'lambda':
      return {
        lines: [
          importLine(plan, '{ lambdaHost }', 'postrider/lambda'),
          config,
          '',
          `${detected.typescript || detected.modules ? 'export const handler' : 'exports.handler'} = lambdaHost(service);`,
        ],
        note: 'The handler answers requests, runs the jobs and, invoked with { "action": "migrate" }, brings the schema up to date. docs/lambda.md and examples/lambda, both in the package, have the bundle, and templates for SAM and CDK.',
      };
    case 'node':
      return {
        lines: [
          importLine(plan, '{ createServer }', 'node:http'),
          importLine(plan, '{ nodeHost }', 'postrider/node'),
          config,
          '',
          "const server = createServer(nodeHost(service, { basePath: '/messaging' })).listen(3000);",
          start,
          ...startOf(detected),
          order,
          ...stopOf('server.close(() => void service.stop())', 'server'),
        ],
        note: undefined,
      };
  }
}

/** The entries for .gitignore: keys of development, the file with POSTRIDER_KEY, the database's file. */
export const ignoredPaths = ({ database }: InitPlan): readonly string[] => [
  '.postrider/',
  '.env',
  ...(database === 'sqlite' ? ['postrider.sqlite*'] : []),
];

/** The packages to install that package.json does not list yet. */
export function packagesFor({ host, database, detected }: InitPlan): readonly string[] {
  const neededPackages = [
    'postrider',
    ...(host === 'express' || host === 'fastify' ? [host] : []),
    storages[database].driver,
    'mjml',
    'juice',
    'html-to-text',
    ...(detected.typescript ? ['@types/node'] : []),
  ];
  return neededPackages.filter((name) => !detected.packages.has(name));
}
