// A real AT Protocol server (the package @atproto/pds) with one account, and a directory of identities in memory. If the package is not
// installed, the tests are skipped. POSTRIDER_TEST_PDS may name a folder whose node_modules contain it.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from './free-port.ts';

interface Pds {
  start(): Promise<unknown>;
  destroy(): Promise<void>;
}

/** The parts of the package that are used. */
interface PdsPackage {
  readonly PDS: { create(config: unknown, secrets: unknown): Promise<Pds> };
  envToCfg(env: Record<string, unknown>): unknown;
  envToSecrets(env: Record<string, unknown>): unknown;
}

/** An operation of did:plc (web.plc.directory/spec/v0.1/did-plc). */
interface PlcOperation {
  readonly alsoKnownAs: readonly string[];
  readonly verificationMethods: { readonly atproto: string };
  readonly services: { readonly atproto_pds: { readonly endpoint: string } };
}

/** A running server. */
export interface AtprotoServer {
  readonly url: string;
  readonly handle: string;
  readonly did: string;
  readonly appPassword: string;
  close(): Promise<void>;
}

async function loadPackage(): Promise<PdsPackage | undefined> {
  const folder = process.env['POSTRIDER_TEST_PDS'];
  const require = createRequire(folder === undefined ? import.meta.url : join(folder, 'package.json'));
  let path: string;
  try {
    path = require.resolve('@atproto/pds');
  } catch {
    console.log('# left out: Bluesky against a real server (the package @atproto/pds is not installed)');
    return undefined;
  }
  return (await import(pathToFileURL(path).href)) as PdsPackage;
}

/** Serves a directory of the identities that the server registers. */
async function startDirectory() {
  const operations = new Map<string, PlcOperation>();
  const documentOf = (did: string, { alsoKnownAs, verificationMethods, services }: PlcOperation) => ({
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    alsoKnownAs,
    verificationMethod: [
      {
        id: `${did}#atproto`,
        type: 'Multikey',
        controller: did,
        publicKeyMultibase: verificationMethods.atproto.replace('did:key:', ''),
      },
    ],
    service: [
      { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: services.atproto_pds.endpoint },
    ],
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [, name = '', view] = (request.url ?? '').split('/');
      const did = decodeURIComponent(name);
      if (request.method === 'POST') {
        operations.set(did, JSON.parse(Buffer.concat(chunks).toString()) as PlcOperation);
        return response.writeHead(200).end();
      }
      const operation = operations.get(did);
      response.writeHead(operation === undefined ? 404 : 200, { 'content-type': 'application/json' });
      if (operation === undefined) return response.end('{"message":"This identity is not registered."}');
      return response.end(JSON.stringify(view === 'data' ? { did, ...operation } : documentOf(did, operation)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function post(url: string, json: unknown, access?: string): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
    },
    body: JSON.stringify(json),
  });
  const answer = (await response.json()) as Record<string, string>;
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Starts a server. Returns undefined if the package is not installed. */
export async function startAtprotoServer(): Promise<AtprotoServer | undefined> {
  const pdsPackage = await loadPackage();
  if (pdsPackage === undefined) return undefined;
  const { PDS, envToCfg, envToSecrets } = pdsPackage;
  const directory = await startDirectory();
  const folder = await mkdtemp(join(tmpdir(), 'postrider-pds-'));
  const port = await freePort();
  const env = {
    devMode: true,
    port,
    hostname: 'localhost',
    dataDirectory: folder,
    blobstoreDiskLocation: join(folder, 'blobs'),
    blobUploadLimit: 104_857_600,
    didPlcUrl: directory.url,
    disableSsrfProtection: true,
    inviteRequired: false,
    jwtSecret: randomBytes(16).toString('hex'),
    adminPassword: randomBytes(16).toString('hex'),
    plcRotationKeyK256PrivateKeyHex: randomBytes(32).toString('hex'),
    serviceHandleDomains: ['.test'],
    logEnabled: false,
  };
  const pds = await PDS.create(envToCfg(env), envToSecrets(env));
  await pds.start();
  const url = `http://localhost:${port}`;
  const handle = 'pigeonpost.test';
  const password = randomBytes(16).toString('hex');
  const server = `${url}/xrpc/com.atproto.server`;
  const { did = '', accessJwt } = await post(`${server}.createAccount`, { email: 'a@acme.example', handle, password });
  const { password: appPassword = '' } = await post(`${server}.createAppPassword`, { name: 'Postrider' }, accessJwt);
  return {
    url,
    handle,
    did,
    appPassword,
    async close() {
      await pds.destroy();
      await directory.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
