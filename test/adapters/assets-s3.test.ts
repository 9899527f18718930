// own-process: changes the environment variables of AWS
// full-run: slow
import * as assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import S3rver from 's3rver';
import { test } from 'uvu';
import { s3Assets } from '../../adapters/assets/s3.ts';
import { presignAwsUrl, signAwsRequest } from '../../adapters/kit/aws-signature.ts';
import { isAssetStoreError } from '../../plugins/assets/port/index.ts';
import { assetAdapterSuite } from '../../plugins/assets/testing/index.ts';
import { region, s3Key, signer, startS3Server } from '../support/s3-server.ts';

const optionsFor = (endpoint: string) => ({ bucket: 'files', region, endpoint, credentials: s3Key });

const openStrict = async () => {
  const server = await startS3Server();
  return { server, store: s3Assets(optionsFor(server.endpoint)), dispose: server.stop };
};

const register = (name: string, run: () => Promise<void>) => void test(name, run);

assetAdapterSuite('s3Assets with a strict server', openStrict, register);

// s3rver is another author's server. It checks signature version 4 only in part, keeps half of a body whose connection broke, answers
// bytes=0-0 with everything, and fails at start-after. These four behaviours are tested only with the strict server above.
const openReal = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'files' }],
  });
  const { port } = await server.run();
  return {
    store: s3Assets({ ...optionsFor(`http://127.0.0.1:${port}`), prefix: 'of/tests' }),
    async dispose() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

assetAdapterSuite('s3Assets with s3rver', openReal, register, {
  except: [
    'returns any range of the bytes',
    'lists objects by prefix, in the order of keys, page by page',
    'keeps the stored object if a source is too short, too long, or fails',
    'leaves nothing of an aborted write, even if its source is silent',
    'signs URLs that read one object, with the requested type and name, until they expire',
    'signs uploads of exactly one length and type',
  ],
});

test('the strict server behaves as the AWS client expects', async () => {
  const { server, dispose } = await openStrict();
  const client = new S3Client({
    region,
    endpoint: server.endpoint,
    forcePathStyle: true,
    credentials: s3Key,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const [Bucket, Key] = ['files', 'ws_1/asset_01'];
  await client.send(new PutObjectCommand({ Bucket, Key, Body: 'hello', ContentType: 'image/png' }));
  await client.send(new CopyObjectCommand({ Bucket, Key: 'ws_1/asset_02', CopySource: `/${Bucket}/${Key}` }));
  const answer = await client.send(new GetObjectCommand({ Bucket, Key, Range: 'bytes=1-3' }));
  assert.equal(await answer.Body?.transformToString(), 'ell');
  assert.equal((await client.send(new HeadObjectCommand({ Bucket, Key }))).ContentLength, 5);
  const listing = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'ws_1/', StartAfter: Key }));
  assert.deepEqual(
    listing.Contents?.map(({ Key: key, Size }) => [key, Size]),
    [['ws_1/asset_02', 5]],
  );
  await client.send(new DeleteObjectCommand({ Bucket, Key }));
  await assert.rejects(client.send(new GetObjectCommand({ Bucket, Key })), { name: 'NoSuchKey' });
  const wrong = s3Assets({ ...optionsFor(server.endpoint), credentials: { ...s3Key, secretAccessKey: 'another' } });
  await assert.rejects(wrong.head('ws_1/asset_02'), (error) => isAssetStoreError(error, 'refused'));
  client.destroy();
  await wrong.close?.();
  await dispose();
});

test('signatures equal those of the AWS SDK', async () => {
  const now = Date.UTC(2026, 10, 22, 10, 0, 0);
  const signingDate = new Date(now);
  const client = new S3Client({ region, credentials: s3Key, requestChecksumCalculation: 'WHEN_REQUIRED' });
  const command = new GetObjectCommand({
    Bucket: 'files',
    Key: 'ws_1/asset_01',
    ResponseContentType: 'image/png',
    ResponseContentDisposition: `inline; filename="a (1).png"; filename*=UTF-8''a%20%281%29.png`,
  });
  const sdkUrl = new URL(await getSignedUrl(client, command, { expiresIn: 600, signingDate }));
  const store = s3Assets({ bucket: 'files', region, credentials: s3Key });
  const signedUrl = new URL(
    store.signedRead?.('ws_1/asset_01', {
      now,
      expiresAt: now + 600_000,
      contentType: 'image/png',
      contentDisposition: `inline; filename="a (1).png"; filename*=UTF-8''a%20%281%29.png`,
    }) ?? '',
  );
  assert.equal(signedUrl.host, sdkUrl.host);
  // The SDK also puts its operation's name into the query. With that parameter, the kit makes exactly the same signature.
  const unsignedUrl = new URL(sdkUrl);
  const { searchParams } = unsignedUrl;
  for (const name of [...searchParams.keys()]) if (/^X-Amz-(?!Content)/.test(name)) searchParams.delete(name);
  const request = { method: 'GET', url: unsignedUrl.href, headers: {}, body: '', region, service: 's3', now };
  const signedAgain = new URL(presignAwsUrl(request, s3Key, 600));
  assert.equal(signedAgain.searchParams.get('X-Amz-Signature'), sdkUrl.searchParams.get('X-Amz-Signature'));

  const headers = {
    host: 'files.example.com',
    'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    'content-type': 'image/png',
  };
  const path = '/files/ws_1/asset_01';
  const sdkRequest = await signer.sign(
    { method: 'PUT', protocol: 'https:', hostname: 'files.example.com', path, headers, query: { 'x-id': 'a b+c' } },
    { signingDate, signingRegion: region },
  );
  const { host: _, ...others } = headers;
  const ownHeaders = signAwsRequest(
    {
      method: 'PUT',
      url: `https://files.example.com${path}?x-id=a%20b%2Bc`,
      headers: others,
      body: '',
      bodyHash: 'UNSIGNED-PAYLOAD',
      region,
      service: 's3',
      now,
    },
    s3Key,
  );
  const signatureIn = (text = '') => /Signature=(\w+)/.exec(text)?.[1];
  assert.equal(signatureIn(ownHeaders['authorization']), signatureIn(sdkRequest.headers['authorization']));
});

test('server faults are transient, and a call without a body is retried once', async () => {
  const { server, store, dispose } = await openStrict();
  const bytes = randomBytes(50_000);
  const put = () =>
    store.put(
      'ws_1/a',
      (async function* () {
        yield bytes;
      })(),
      { size: bytes.length, contentType: 'image/png' },
    );
  await put();
  for (const fault of ['slow-down', 'reset'] as const) {
    server.faults.push(fault);
    assert.equal((await store.head('ws_1/a'))?.bytes, 50_000, fault);
    server.faults.push(fault, fault);
    await assert.rejects(store.head('ws_1/a'), (error) => isAssetStoreError(error, 'transient'), fault);
    server.faults.push(fault);
    await assert.rejects(put(), (error) => isAssetStoreError(error, 'transient'), fault);
  }
  server.faults.push('denied');
  await assert.rejects(store.list(''), (error) => isAssetStoreError(error, 'refused'));
  server.faults.push('copy-error');
  await assert.rejects(store.copy('ws_1/a', 'ws_1/b'), (error) => isAssetStoreError(error, 'transient'));
  assert.equal(server.objects.has('ws_1/b'), false);
  server.faults.push('broken-body');
  await assert.rejects(
    async () => {
      for await (const _ of await store.get('ws_1/a'));
    },
    (error) => isAssetStoreError(error, 'transient'),
  );
  await store.close?.();
  await dispose();
});

test('a silent server ends a call after the time limit', async () => {
  const { server, dispose } = await openStrict();
  const store = s3Assets({ ...optionsFor(server.endpoint), timeoutMs: 1_000 });
  server.faults.push('silence', 'silence');
  await assert.rejects(store.head('ws_1/a'), (error) => isAssetStoreError(error, 'transient'));
  await dispose();
});

test('with changing keys, the service serves files itself, and each request uses the current key', async () => {
  const server = await startS3Server();
  let askedCount = 0;
  const store = s3Assets({
    ...optionsFor(server.endpoint),
    credentials: async () => {
      askedCount += 1;
      return s3Key;
    },
  });
  const times = { now: Date.now(), expiresAt: Date.now() + 60_000 };
  assert.equal(
    store.signedRead?.('ws_1/a', { ...times, contentType: 'image/png', contentDisposition: 'inline' }),
    undefined,
  );
  assert.equal(store.signedUpload?.('ws_1/a', { ...times, contentType: 'image/png', bytes: 1 }), undefined);
  await store.list('');
  await store.list('');
  assert.equal(askedCount, 2);
  await store.close?.();
  await server.stop();
});

test('without a configured key, the key of the environment is used and is read for each request', async () => {
  const server = await startS3Server();
  const before = { ...process.env };
  try {
    const { credentials: _, region: __, ...rest } = optionsFor(server.endpoint);
    delete process.env['AWS_REGION'];
    assert.throws(() => s3Assets(rest), /`region` is missing, and the environment has no AWS_REGION/);
    Object.assign(process.env, { AWS_REGION: region, AWS_ACCESS_KEY_ID: s3Key.accessKeyId });
    process.env['AWS_SECRET_ACCESS_KEY'] = 'another';
    delete process.env['AWS_SESSION_TOKEN'];
    const store = s3Assets(rest);
    await assert.rejects(store.list(''), /S3 answered 403/);
    process.env['AWS_SECRET_ACCESS_KEY'] = s3Key.secretAccessKey;
    assert.deepEqual(await store.list(''), []);
    const times = { now: Date.now(), expiresAt: Date.now() + 60_000 };
    assert.equal(store.signedUpload?.('ws_1/a', { ...times, contentType: 'image/png', bytes: 1 }), undefined);
    await store.close?.();
  } finally {
    for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']) {
      const value = before[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await server.stop();
  }
});

test('invalid options are refused at once', () => {
  for (const wrong of [{ bucket: '../x' }, { region: 'eu west' }, { endpoint: 'ftp://x' }, { endpoint: 'https://x/y' }])
    assert.throws(() => s3Assets({ bucket: 'files', region, credentials: s3Key, ...wrong }), TypeError);
});

test.run();
