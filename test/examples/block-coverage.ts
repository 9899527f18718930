// For each block of code in the documents, except for the ts blocks that questions.ts covers: the test that runs it, or the reason why
// no test does. For docs.test.ts, which fails for a block without a row and for a row without a block.

interface BlockCoverage {
  readonly document: string;
  /** The language after the fence; '' if there is none. */
  readonly language: string;
  /** A text in the block. (Default: the row is about all blocks of the language in the document) */
  readonly containing?: string;
  /** The test file that runs the block or compares it with the real output. The file must name the document. */
  readonly test?: string;
  /** Why no test runs it. */
  readonly reason?: string;
}

const runBy = (test: string, document: string, language: string, holds?: string): BlockCoverage => ({
  document,
  language,
  test,
  ...(holds === undefined ? {} : { containing: holds }),
});

const notRun = (reason: string, document: string, language: string, holds?: string): BlockCoverage => ({
  document,
  language,
  reason,
  ...(holds === undefined ? {} : { containing: holds }),
});

const install = 'installs the published package; test/package installs what npm would publish';
const repository = 'the commands of this repository, which the checks of every change run';
const network = "asks a network's own server, with a code that a person got there in a browser";
const printedOutput = 'shows what a command prints, with ids and times of one run';
const text = 'no program';
const commands = 'names commands, which test/hosts runs with other arguments';

const curl = 'test/examples/curl-lines.test.ts';
const package_ = 'test/package/package.test.ts';
const mcp = 'test/core/mcp-config.test.ts';
const clients = 'test/examples/http-clients.test.ts';
const receivers = 'test/examples/webhooks.test.ts';
const joining = 'test/examples/joining.test.ts';
const cli = 'test/hosts/cli-docs.test.ts';
const events = 'test/examples/reference.test.ts';

export const blockCoverage: readonly BlockCoverage[] = [
  runBy('test/examples/readme.test.ts', 'README.md', 'ts'),
  notRun(install, 'README.md', 'sh', 'npm install postrider'),
  notRun(repository, 'README.md', 'sh', 'npm test'),
  notRun(repository, 'CONTRIBUTING.md', 'sh', 'npm test'),
  runBy('test/examples/contributing.test.ts', 'CONTRIBUTING.md', 'ts'),
  runBy('test/examples/contributing.test.ts', 'CONTRIBUTING.md', 'diff'),

  notRun('needs a request that waits; test/plugins/approvals.test.ts makes the same calls', 'docs/approvals.md', 'sh'),
  runBy('test/plugins/broadcasts-experiment-drafts.test.ts', 'docs/broadcasts.md', 'json'),
  notRun('test/plugins/pages-import.test.ts runs the command', 'docs/pages.md', 'console'),
  runBy(cli, 'docs/command-line.md', 'js'),
  notRun(printedOutput, 'docs/command-line.md', 'console'),
  notRun(`${commands}; it starts a program of yours`, 'docs/command-line.md', 'sh', 'node --env-file'),
  notRun(
    'the comments of a file that init writes, which test/hosts/cli-init-files.test.ts reads',
    'docs/command-line.md',
    'sh',
    '# SMTP_HOST=',
  ),
  runBy('test/package/bundlers.test.ts', 'docs/bundlers.md', 'sh'),
  runBy('test/package/bundlers.test.ts', 'docs/bundlers.md', 'js'),
  notRun('test/examples/lambda.test.ts bundles the same file', 'docs/designs.md', 'sh', 'picture-process'),
  notRun(
    'Jest is not a dependency of this repository; the flag is that of its own documentation',
    'docs/testing.md',
    'sh',
    'npx jest',
  ),
  notRun(commands, 'docs/contacts.md', 'console'),
  notRun(commands, 'docs/databases.md', 'sh', 'npx postrider migrate'),
  notRun(
    'needs the clients psql, mariadb and sqlite3; tests of migrations run the same SQL',
    'docs/databases.md',
    'sh',
    'psql',
  ),
  notRun(
    'names roles of a program; test/adapters/storage-postgres-roles.test.ts grants the same',
    'docs/databases.md',
    'sql',
  ),
  runBy(events, 'docs/events.md', 'json'),
  runBy(package_, 'docs/hosts.md', 'typescript'),
  runBy(package_, 'docs/hosts.md', 'js'),
  runBy(clients, 'docs/http-clients.md', 'sh'),
  ...['python', 'go', 'php', 'ruby'].map((language) => runBy(clients, 'docs/http-clients.md', language)),
  runBy(curl, 'docs/idempotency.md', 'sh'),
  notRun('is one line of a copied file, which test/package/lambda.test.ts writes', 'docs/lambda.md', 'typescript'),
  notRun(text, 'docs/lambda.md', ''),
  notRun('is a part of a page; test/plugins/lists-forms.test.ts posts its fields', 'docs/lists.md', 'html'),
  notRun(commands, 'docs/mcp.md', 'sh', 'npx postrider'),
  ...['sh', 'json', 'toml'].map((language) => runBy(mcp, 'docs/mcp.md', language)),
  ...['sh', 'json'].map((language) => runBy('test/examples/agents.test.ts', 'docs/agents.md', language)),
  runBy('test/examples/oauth-better-auth-issuer.test.ts', 'docs/oauth.md', 'json'),
  runBy(curl, 'docs/planned-emails.md', 'sh'),
  runBy(curl, 'docs/providers.md', 'sh'),
  ...['json', 'eml'].map((language) =>
    runBy('test/adapters/mail-provider-payloads.test.ts', 'docs/providers.md', language),
  ),
  runBy(curl, 'docs/qr.md', 'sh'),
  notRun(text, 'docs/scaling.md', 'text'),
  runBy('test/core/telemetry.test.ts', 'docs/observability.md', 'yaml'),
  notRun(install, 'docs/installing.md', 'sh'),
  notRun(install, 'docs/sending-email.md', 'sh'),
  ...['instagram', 'linkedin', 'x'].flatMap((id) => [
    notRun(network, `docs/social-${id}.md`, 'sh'),
    notRun(network, `docs/social-${id}.md`, 'text'),
  ]),
  notRun(
    'bundles a file of the installed package; test/package and the Lambda example bundle the rest',
    'docs/templates.md',
    'sh',
    'npx esbuild',
  ),
  notRun(commands, 'docs/templates.md', 'sh', 'npx postrider templates'),
  notRun(
    'reads the folder of a project; test/plugins/templates-files.test.ts does the same',
    'docs/templates.md',
    'js',
  ),
  runBy('test/plugins/email-write-only.test.ts', 'docs/templates.md', 'json'),
  notRun(text, 'docs/templates.md', ''),
  notRun('reads the folder of a project; test/plugins/templates-files.test.ts does the same', 'docs/testing.md', 'js'),
  notRun(
    "Prisma's client is generated by a program that has to be downloaded",
    'docs/transactions.md',
    'js',
    'PrismaPg',
  ),
  runBy(joining, 'docs/transactions.md', 'js', 'service.join(client)'),
  runBy(joining, 'docs/transactions.md', 'js', 'placeOrderWithTypeOrm'),
  notRun(install, 'docs/upgrading.md', 'sh'),
  ...['sh', 'typescript', 'text', 'json'].map((language) => runBy(receivers, 'docs/webhooks.md', language)),
  ...['ts', 'json'].map((language) => runBy(package_, 'docs/writing-a-plugin.md', language)),
  notRun('test/package runs the tests that it starts', 'docs/writing-a-plugin.md', 'sh'),
  runBy(package_, 'docs/writing-an-adapter.md', 'ts'),
];
