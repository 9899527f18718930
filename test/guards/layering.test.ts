// The rules of the architecture for imports, checked on every file, and the faults that they detect.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectSelfNames, selfNamesFrom } from './imports.ts';
import { layerFaults, type PackageDependencies } from './layers.ts';
import { assertFaultsAt, assertNoFaults, readSources, root, type SourceText } from './sources.ts';

const test = suite('layering');
const selfNames = selfNamesFrom({ postrider: ['./core/index.ts'], 'postrider/plugins/*': ['./plugins/*/index.ts'] });
const manifest: PackageDependencies = {
  dependencies: new Set(['zod', 'kysely', 'awilix', 'node-cron', 'nodemailer']),
  optional: new Set([
    'pg',
    'twilio',
    'mjml',
    'express',
    'fastify',
    '@modelcontextprotocol/server',
    '@aws-sdk/client-s3',
  ]),
};

/** A fixture: path → its imports, one per line. */
type Fixture = Record<string, readonly string[]>;

function faultsIn(fixture: Fixture) {
  const files: SourceText[] = Object.entries(fixture).map(([path, lines]) => ({ path, source: lines.join('\n') }));
  return layerFaults(files, manifest, selfNames);
}

test('every import of the project respects its layer', () => {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const names = (list: object | undefined) => Object.keys(list ?? {});
  const packages: PackageDependencies = {
    dependencies: new Set(names(dependencies)),
    optional: new Set([...names(optionalDependencies), ...names(peerDependencies)]),
  };
  assert.ok(packages.dependencies.has('zod'));
  assertNoFaults(layerFaults(readSources(), packages, projectSelfNames()));
});

test('the guard accepts imports that the architecture allows', () => {
  assertNoFaults(
    faultsIn({
      'core/contract/declaration/operation.ts': ["import { z } from 'zod';", "import type { Kysely } from 'kysely';"],
      'core/contract/ports/mail.ts': [
        "import type { X } from '../errors/errors.ts';",
        "import { hash } from 'node:crypto';",
      ],
      'core/kernel/compose.ts': [
        "import { createContainer } from 'awilix';",
        "import { x } from '../pipeline/execute.ts';",
      ],
      'core/storage/database.ts': [
        "import { sql } from 'kysely';",
        "import { x } from '../contract/errors/errors.ts';",
      ],
      'core/mcp/server.ts': ["import { Server } from '@modelcontextprotocol/server/x';"],
      'core/jobs/schedule.ts': ["import cron from 'node-cron';"],
      'core/webhooks/verify.ts': ["import { timingSafeEqual } from 'node:crypto';", "import { x } from './sign.ts';"],
      'core/webhooks/sign.ts': ["import type { z } from 'zod';"],
      'core/index.ts': ["export * from './kernel/compose.ts';", "export * from './contract/errors/errors.ts';"],
      'hosts/testing/index.ts': [
        "import '../../core/index.ts';",
        "import '../../adapters/mail/ses.ts';",
        "import '../../plugins/links/index.ts';",
      ],
      'plugins/index.ts': ["export { linksPlugin } from './links/index.ts';"],
      'plugins/links/plugin.ts': [
        "import { definePlugin } from '../../core/index.ts';",
        "import { all } from './operations/index.ts';",
      ],
      'plugins/links/operations/create-link.ts': [
        "import { defineOperation } from '../../../core/index.ts';",
        "import { insert } from '../store.ts';",
        "import type { ContactGone } from '../../contacts/events.ts';",
        "export const render = async () => (await import('mjml')).default;",
      ],
      'plugins/links/store.ts': ["import { sql } from 'kysely';"],
      'hosts/node/index.ts': ["import type { HttpRequest } from '../../core/index.ts';"],
      'hosts/cli/dev.ts': [
        "import { nodeHost } from '../node/index.ts';",
        "import { standardPlugins } from '../../plugins/index.ts';",
        "import { captureMail } from '../../adapters/mail/capture.ts';",
      ],
      'plugins/links/browser/page.ts': [
        "import { render } from 'preact';",
        "import { x } from './list.ts';",
        "import { y } from '../../../core/pages/browser/api.ts';",
        "import type { X } from '../wire.ts';",
      ],
      'plugins/links/tables.ts': ["import type { Generated } from 'kysely';"],
      'adapters/kit.ts': ["import type { X } from '../core/contract/ports/mail.ts';"],
      'adapters/sms/twilio.ts': [
        "import twilio from 'twilio';",
        "import { x } from '../kit.ts';",
        "import { y } from '../../core/contract/errors/errors.ts';",
      ],
      'adapters/storage/postgres.ts': ["import pg from 'pg';", "import { PostgresDialect } from 'kysely';"],
      'adapters/storage/postgres-locks.ts': ["import { x } from './postgres.ts';", "import type { Pool } from 'pg';"],
      'adapters/queue/postgres.ts': ["import pg from 'pg';"],
      'hosts/express/index.ts': [
        "import express from 'express';",
        "import { x } from '../../core/index.ts';",
        "import { y } from './body.ts';",
      ],
      'examples/quickstart/main.ts': ["import { compose } from 'postrider';", "import pg from 'pg';"],
      'test/core/x.test.ts': ["import { x } from '../../core/storage/database.ts';", "import 'unlisted';"],
    }),
  );
});

const faults: Record<string, Fixture> = {
  'an import of an inner folder in the contract': {
    'core/contract/a.ts': ["import type { X } from '../kernel/compose.ts';"],
  },
  'an import of a package in the contract': { 'core/contract/a.ts': ["import { createTransport } from 'nodemailer';"] },
  'I/O in the contract': { 'core/contract/a.ts': ["import { readFile } from 'node:fs/promises';"] },
  'I/O in a projection': { 'core/projections/rest.ts': ["import { createServer } from 'http';"] },
  "an inner folder importing the core's index": { 'core/jobs/a.ts': ["import type { X } from '../index.ts';"] },
  'an inner folder importing a plugin': { 'core/jobs/a.ts': ["import { X } from '../../plugins/links/index.ts';"] },
  'an inner folder importing an adapter': {
    'core/storage/a.ts': ["import { X } from '../../adapters/storage/sqlite.ts';"],
  },
  "the core's index importing the test kit": { 'core/index.ts': ["export * from './testing/index.ts';"] },
  'the test kit importing a host': { 'hosts/testing/a.ts': ["import { X } from '../../hosts/express/index.ts';"] },
  'a folder without an area': { 'core/things/a.ts': [] },
  'a plugin that imports past the index': {
    'plugins/links/a.ts': ["import { X } from '../../core/contract/errors/errors.ts';"],
  },
  'a plugin that imports a type past the index': {
    'plugins/links/a.ts': ["import type { X } from '../../core/storage/database.ts';"],
  },
  "a plugin importing another's value": { 'plugins/links/a.ts': ["import { X } from '../contacts/index.ts';"] },
  "a plugin importing another's inline type": {
    'plugins/links/a.ts': ["import { type X } from '../contacts/index.ts';"],
  },
  "a plugin loading another's value": {
    'plugins/links/a.ts': ["export const x = () => import('../contacts/service.ts');"],
  },
  "a plugin importing another's store": { 'plugins/links/a.ts': ["import type { X } from '../contacts/store.ts';"] },
  'a plugin importing an adapter': { 'plugins/links/a.ts': ["import { X } from '../../adapters/mail/ses.ts';"] },
  'a plugin importing a host': { 'plugins/links/a.ts': ["import { X } from '../../hosts/express/index.ts';"] },
  'a plugin importing what is bundled for browsers': {
    'plugins/links/a.ts': ["import { X } from './browser/page.ts';"],
  },
  'a shared module of pages that imports a page': {
    'core/pages/browser/a.ts': ["import { x } from '../document.ts';"],
  },
  'a page importing its plugin': { 'plugins/links/browser/page.ts': ["import { X } from '../store.ts';"] },
  'a page importing another plugin': {
    'plugins/links/browser/page.ts': ["import type { X } from '../../contacts/wire.ts';"],
  },
  'a plugin importing awilix': { 'plugins/links/a.ts': ["import { asValue } from 'awilix';"] },
  'a plugin importing values of kysely elsewhere': { 'plugins/links/service.ts': ["import { sql } from 'kysely';"] },
  'a plugin importing its own index': { 'plugins/links/operations/create.ts': ["import { X } from '../index.ts';"] },
  'an operation importing the list above it': {
    'plugins/links/operations/create.ts': ["import { X } from './index.ts';"],
  },
  'a plugin importing the standard set': { 'plugins/links/a.ts': ["import { X } from '../index.ts';"] },
  'a plugin loading a renderer on import': { 'plugins/links/a.ts': ["import mjml from 'mjml';"] },
  'a plugin importing our own name': { 'plugins/links/a.ts': ["import { X } from 'postrider';"] },
  'the core importing values of kysely elsewhere': { 'core/pipeline/a.ts': ["import { sql } from 'kysely';"] },
  'the core importing awilix elsewhere': { 'core/pipeline/a.ts': ["import { asValue } from 'awilix';"] },
  'the core importing the MCP SDK elsewhere': {
    'core/projections/mcp.ts': ["import type { X } from '@modelcontextprotocol/server';"],
  },
  'an adapter importing another port': { 'adapters/sms/twilio.ts': ["import { X } from '../mail/twilio.ts';"] },
  'an adapter importing another vendor': { 'adapters/sms/twilio.ts': ["import { X } from './sns.ts';"] },
  "an adapter importing the core's index": { 'adapters/sms/twilio.ts': ["import { X } from '../../core/index.ts';"] },
  'an adapter importing the contract elsewhere': {
    'adapters/sms/twilio.ts': ["import { X } from '../../core/contract/declaration/operation.ts';"],
  },
  'an adapter that is not a flat file': { 'adapters/sms/twilio/index.ts': [] },
  'a host importing an inner folder': {
    'hosts/fastify/index.ts': ["import { X } from '../../core/kernel/compose.ts';"],
  },
  'a host importing another': { 'hosts/fastify/index.ts': ["import { X } from '../express/index.ts';"] },
  'a host importing a plugin': { 'hosts/express/index.ts': ["import { X } from '../../plugins/links/index.ts';"] },
  "a host importing another's framework": { 'hosts/fastify/index.ts': ["import express from 'express';"] },
  'a package that is not listed': { 'adapters/sms/vonage.ts': ["import { X } from '@vonage/server-sdk/lib';"] },
  'a require of a package in its own place': { 'plugins/links/a.ts': ["const x = require('awilix');"] },
};

for (const [name, fixture] of Object.entries(faults)) {
  test(`the guard refuses ${name}`, () => {
    const expectedFaults = Object.entries(fixture).map(([path, lines]) => (lines.length > 0 ? `${path}:1` : path));
    assertFaultsAt(faultsIn(fixture), expectedFaults);
  });
}

test("the guard refuses a vendor's package outside its adapter, even as a type or loaded late", () => {
  const faultsFound = faultsIn({
    'adapters/sms/twilio.ts': ["import twilio from 'twilio';"],
    'adapters/mail/other.ts': ["import twilio from 'twilio';"],
    'plugins/sms/service.ts': [
      "import type { Twilio } from 'twilio';",
      "export const x = () => import('twilio/lib/x');",
    ],
  });
  // Two adapters with different names own the package now, so neither adapter is at fault. The plugin is at fault, twice.
  assertFaultsAt(faultsFound, ['plugins/sms/service.ts:1', 'plugins/sms/service.ts:2']);
});

test('the guard refuses a package in the code of the dependency-free subpath', () => {
  const faultsFound = faultsIn({
    'core/webhooks/verify.ts': ["import { x } from './sign.ts';"],
    'core/webhooks/sign.ts': ["import { y } from '../contract/errors/errors.ts';"],
    'core/contract/errors/errors.ts': ["import { z } from 'zod';"],
  });
  assertFaultsAt(faultsFound, ['core/contract/errors/errors.ts:1']);
});

test('the dependency-free subpath may use types of plugins, but not their code', () => {
  const events = { 'plugins/email/events.ts': ["import { z } from 'zod';"] };
  const verify = { 'core/webhooks/verify.ts': ["import { hash } from 'node:crypto';"] };
  const withReceiver = (line: string) => ({ 'plugins/webhook-receiver.ts': [line], ...verify, ...events });
  assertNoFaults(faultsIn(withReceiver("export type * as email from './email/events.ts';")));
  assertNoFaults(faultsIn(withReceiver("export * from '../core/webhooks/verify.ts';")));
  assertFaultsAt(faultsIn(withReceiver("import './email/events.ts';")), [
    'plugins/webhook-receiver.ts:1',
    'plugins/email/events.ts:1',
  ]);
});

test('the dependency-free subpath has the types of every event', () => {
  const files = readSources();
  const ownFile = files.find(({ path }) => path === 'plugins/webhook-receiver.ts');
  const namedFiles = ownFile?.source
    .match(/(?<=')\.\/[^']+\/events\.ts(?=')/g)
    ?.map((path) => path.replace('.', 'plugins'));
  const declaredFiles = files.map(({ path }) => path).filter((path) => /^plugins\/[^/]+\/events\.ts$/.test(path));
  assert.ok(declaredFiles.length > 1);
  assert.equal(namedFiles?.sort(), declaredFiles.sort());
});

test.run();
