// The files that `init` writes and the lines that it prints: text only. test/hosts/cli-init.test.ts type-checks and
// runs this text in projects of every kind.
import { posix } from 'node:path';
import type { Database, Detected, Host } from './detect.ts';

/** A project as `init` sets it up. */
export interface Plan {
  readonly host: Host;
  readonly database: Database;
  readonly detected: Detected;
  /** The existing config, below the project; undefined when it is to be written. */
  readonly existing: string | undefined;
}

/** A file of the project, by its path in the project. */
export interface PlannedFile {
  readonly path: string;
  readonly what: string;
  readonly content: string;
}

const place = ({ sources }: Detected, name: string): string => (sources === '' ? name : `${sources}/${name}`);

/** A module whatever package.json says: Postrider is a module. */
function endingOf({ typescript, modules }: Detected): 'ts' | 'mts' | 'mjs' {
  if (!typescript) return 'mjs';
  return modules ? 'ts' : 'mts';
}

/** The path of the config, whether it exists or is to be written. */
export const configPath = ({ detected, existing }: Plan): string =>
  existing ?? place(detected, `postrider.config.${endingOf(detected)}`);

/** How a file beside the sources is imported: by its compiled name, unless the compiler rewrites endings. */
function importOf(path: string, { sources, tsEndings }: Detected): string {
  const below = posix.relative(sources, path);
  const name = below.startsWith('.') ? below : `./${below}`;
  return tsEndings ? name : name.replace(/\.([mc]?)ts$/, '.$1js');
}

const storages: Readonly<
  Record<Database, { readonly imports: string; readonly variable: string; readonly made: string }>
> = {
  sqlite: {
    imports: "import { sqliteStorage } from 'postrider/adapters/storage/sqlite';",
    variable: "POSTRIDER_DATABASE = 'postrider.sqlite'",
    made: 'sqliteStorage({ filename: POSTRIDER_DATABASE })',
  },
  postgres: {
    imports: "import { postgresStorage } from 'postrider/adapters/storage/postgres';",
    variable: "DATABASE_URL = 'postgres://127.0.0.1:5432/postgres'",
    made: 'postgresStorage({ connectionString: DATABASE_URL })',
  },
  mysql: {
    imports: "import { mysqlStorage } from 'postrider/adapters/storage/mysql';",
    variable: "DATABASE_URL = 'mysql://root@127.0.0.1:3306/app'",
    made: 'mysqlStorage({ uri: DATABASE_URL })',
  },
};

/** The lines of .env.example about the database. */
const databaseLines: Readonly<Record<Database, string>> = {
  sqlite: '# The file of the database\nPOSTRIDER_DATABASE=postrider.sqlite',
  postgres: '# The database\nDATABASE_URL=postgres://user:password@127.0.0.1:5432/app',
  mysql: '# The database, which must exist\nDATABASE_URL=mysql://user:password@127.0.0.1:3306/app',
};

/** The config: the service of the project. */
export function configFile(plan: Plan): PlannedFile {
  const { imports, variable, made } = storages[plan.database];
  return {
    path: configPath(plan),
    what: 'the service: plugins, database, mail, keys',
    content: `// The messaging service of this project: mounted by its program, found here by the command line (npx postrider).
import { createService } from 'postrider';
import { localKeyring } from 'postrider/adapters/keyring/local';
import { captureMail } from 'postrider/adapters/mail/capture';
import { smtpMail } from 'postrider/adapters/mail/smtp';
${imports}
import { standardPlugins } from 'postrider/plugins';

const {
  ${variable},
  SMTP_HOST = '',
  SMTP_PORT = '587',
  SMTP_USER = '',
  SMTP_PASSWORD = '',
  POSTRIDER_KEY = '',
  POSTRIDER_URL = '',
} = process.env;

export default createService({
  plugins: standardPlugins,
  storage: ${made},
  // Without a mail server nothing leaves: mail is kept, and npx postrider dev shows it in its inbox.
  mail:
    SMTP_HOST === ''
      ? captureMail()
      : smtpMail({
          host: SMTP_HOST,
          port: Number(SMTP_PORT),
          ...(SMTP_USER === '' ? {} : { auth: { user: SMTP_USER, pass: SMTP_PASSWORD } }),
        }),
  // Seals what must not lie in the database in the clear. Development makes a key of its own in .postrider/;
  // production refuses to start without one.
  ...(POSTRIDER_KEY === '' ? {} : { keyring: localKeyring({ keys: [{ id: 'a', secret: POSTRIDER_KEY }] }) }),
  ...(POSTRIDER_URL === '' ? {} : { publicUrl: POSTRIDER_URL }),
});
`,
  };
}

/** The variables that the config reads. */
export function environmentFile({ database }: Plan): PlannedFile {
  return {
    path: '.env.example',
    what: 'the variables that the config reads',
    content: `${databaseLines[database]}
# The mail server; without one mail is kept and not sent
SMTP_HOST=
SMTP_PORT=587
# Empty where the server wants no login
SMTP_USER=
SMTP_PASSWORD=
# Production only: openssl rand -base64 32, and keep it
POSTRIDER_KEY=
# Where the mounted service is reachable from outside, such as https://app.example.com/messaging
POSTRIDER_URL=
`,
  };
}

/** What the program has to add. */
export interface Mount {
  readonly lines: readonly string[];
  readonly note: string | undefined;
}

/** An import at the top of the program. A CommonJS program requires the module: every supported Node can do that. */
function bring({ detected }: Plan, what: string, from: string): string {
  const { typescript, modules } = detected;
  if (typescript || modules) return `import ${what} from '${from}';`;
  const isCommonJs = /\.c?js$/.test(from);
  const names = what.startsWith('{') || isCommonJs ? what : `{ default: ${what} }`;
  return `const ${names} = require('${from}');`;
}

/** How the service is mounted in the program. */
export function mountOf(plan: Plan): Mount {
  const { host, detected } = plan;
  const config = bring(plan, 'service', importOf(configPath(plan), detected));
  const start = '// Delivers mail in this process. Before it, once per deploy: npx postrider migrate';
  switch (host) {
    case 'express':
      return {
        lines: [
          bring(plan, '{ expressHost }', 'postrider/express'),
          config,
          '',
          "app.use('/messaging', expressHost(service));",
          start,
          'service.start().catch(console.error);',
        ],
        note: undefined,
      };
    case 'fastify':
      return {
        lines: [
          bring(plan, '{ fastifyHost }', 'postrider/fastify'),
          config,
          '',
          "app.register(fastifyHost(service), { prefix: '/messaging' });",
          start,
          "app.addHook('onReady', () => service.start());",
        ],
        note: undefined,
      };
    case 'lambda':
      return {
        lines: [
          config,
          '',
          "const response = await service.fetch(request, { basePath: '/messaging' });",
          'await service.drain({ budgetMs: 10_000 });',
        ],
        note: 'This release has no host for Lambda. What works: turn your event into a Request, answer it with service.fetch, and deliver what is due in the same call.',
      };
    case 'node':
      return {
        lines: [
          bring(plan, '{ createServer }', 'node:http'),
          bring(plan, '{ nodeHost }', 'postrider/node'),
          config,
          '',
          "createServer(nodeHost(service, { basePath: '/messaging' })).listen(3000);",
          start,
          'service.start().catch(console.error);',
        ],
        note: undefined,
      };
  }
}

/** What git ignores: keys of development, the file for POSTRIDER_KEY, and the database's file. */
export const ignoredPaths = ({ database }: Plan): readonly string[] => [
  '.postrider/',
  '.env',
  ...(database === 'sqlite' ? ['postrider.sqlite*'] : []),
];

/** Packages to install, of those that package.json does not list yet. */
export function packagesFor({ database, detected }: Plan): readonly string[] {
  const wanted = [
    'postrider',
    ...(database === 'sqlite' ? ['better-sqlite3'] : ['pg']),
    'mjml',
    'juice',
    'html-to-text',
    ...(detected.typescript ? ['@types/node'] : []),
  ];
  return wanted.filter((name) => !detected.packages.has(name));
}
