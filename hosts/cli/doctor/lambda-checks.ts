// The checks of `doctor --lambda`: whether this service can run as a function of AWS Lambda. Called by inspect.ts.
import type { Service } from '../../../core/index.ts';
import { isLoopbackUrl } from '../../../core/unstable.ts';
import { bad, type Finding, good, note, reasonOf } from './finding.ts';

const name = 'Lambda';
/** lambdaHost also rejects SQLite, but only in a function. */
const sqliteReason =
  "SQLite keeps its database in a file, and a function's files are lost with its instance. Use postgresStorage or mysqlStorage";
/** An instance handles one event at a time. It needs one connection for the event and one for the jobs that run at the same time. */
const advisedConnections = 2;
/** A request has at most 6 MB as JSON, in which bytes are base64. */
const largestBody = 4.5 * 1_048_576;

async function checkConnections({ core }: Service): Promise<readonly Finding[]> {
  const { storage } = core.adapters;
  if (storage.dialect === 'sqlite') return [bad(name, sqliteReason)];
  const { driver } = await core.anyDatabase();
  const driverDetails = await driver.describe();
  const max = Number(driverDetails['max_connections']);
  if (driverDetails['shared_pool'] === 1) {
    return [
      note(name, `${storage.id} uses a pool of yours: give it ${advisedConnections} connections at most in a function`),
    ];
  }
  if (max > advisedConnections) {
    const advice = `An instance handles one event at a time: set maxConnections to ${advisedConnections}, or to 1`;
    return [note(name, `${storage.id} opens up to ${max} connections in every instance. ${advice}`)];
  }
  return [
    good(name, `${storage.id} with ${Number.isNaN(max) ? 'its own' : `up to ${max}`} connections in every instance`),
  ];
}

function checkKeyring({ core }: Service): Finding {
  const { id, file } = core.adapters.keyring;
  if (file === undefined) return good(name, `the keys of the keyring ${id} come from the function's configuration`);
  const remedy = 'localKeyring({ keys: process.env.POSTRIDER_KEY })';
  return bad(
    name,
    `The keyring reads ${file}, but a function has no such file. Give the key in its environment: ${remedy}`,
  );
}

/**
 * Lambda mounts shared file systems (Amazon EFS) below /mnt. No finding if no plugin stores assets, or the program has no store.
 */
function checkAssets({ core }: Service): readonly Finding[] {
  const assets: typeof core.ports.assets | undefined = core.ports.assets;
  const { id, folder } = assets?.known('') ?? {};
  if (folder !== undefined && !folder.startsWith('/mnt/')) {
    const lossText = 'no other instance of a function sees its files, and they are lost with the instance';
    return [bad(name, `Assets are kept in ${folder}: ${lossText}. Use s3Assets`)];
  }
  if (id !== 's3') return [];
  const limitText = 'uploads and files pass through the function, up to about 4.5 MB';
  return [note(name, `s3Assets: with the key of a role ${limitText}; with a fixed key clients use the bucket itself`)];
}

function checkUrl({ core }: Service): Finding {
  const { publicUrl } = core.ports.service;
  if (publicUrl === undefined)
    return note(
      name,
      'createService has no publicUrl: give it the URL of the gateway or of the function, or your own domain',
    );
  if (isLoopbackUrl(publicUrl)) return bad(name, `publicUrl is ${publicUrl}, which other machines cannot reach`);
  return good(name, `links lead to ${publicUrl}`);
}

async function checkQueue({ core }: Service): Promise<Finding> {
  const { queue } = core.adapters;
  if (queue === undefined) {
    const rest =
      'Invoke the function every minute by a schedule: it runs the remaining jobs, retries and scheduled sends';
    return note(
      name,
      `no queue: a function starts the jobs that it accepted for settleMs (2 s) before it answers. ${rest}`,
    );
  }
  try {
    await queue.check();
    const untestedNote = 'No message was sent or received, so the first job shows whether the key may do both';
    return good(name, `the queue ${queue.id} answers. ${untestedNote}`);
  } catch (cause) {
    return bad(name, `The queue ${queue.id}: ${reasonOf(cause)}`);
  }
}

function checkLimits({ core }: Service): readonly Finding[] {
  const { maxBodyBytes } = core.settings;
  const time = note(
    name,
    'give the function a time limit of 30 s, and its SQS queue a visibility timeout of six times that',
  );
  if (maxBodyBytes <= largestBody) return [time];
  const limit = `${(maxBodyBytes / 1_048_576).toFixed(0)} MiB`;
  return [
    time,
    note(
      name,
      `a request to a function has 6 MB: settings.maxBodyBytes allows ${limit}, of which about 4.5 get through`,
    ),
  ];
}

/** Checks whether the service can be a function, and which settings to change. */
export async function checkLambda(service: Service): Promise<readonly Finding[]> {
  const connections = await checkConnections(service).catch((cause: unknown) => [
    note(name, `the connections cannot be counted: ${reasonOf(cause)}`),
  ]);
  return [
    ...connections,
    checkKeyring(service),
    ...checkAssets(service),
    checkUrl(service),
    await checkQueue(service),
    ...checkLimits(service),
  ];
}
