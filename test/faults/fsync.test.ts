// Accepted sends survive a power failure, which killing a process cannot prove. Instead, the system calls of a real process show
// that the write-ahead log is on the disk before the 202 leaves through the socket.
// full-run: slow
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiledSources } from '../support/compiled.ts';
import { mayUse } from '../support/services.ts';
import {
  createMailService,
  type DatabaseLocation,
  requestOf,
  type SeededWorkspace,
  seed,
  storageOf,
} from './mail-service.ts';

const test = suite('durability');
const script = join(await compiledSources(), 'test/faults/one-send-process.js');
const calls = 'pwrite64,write,writev,sendto,sendmsg,fsync,fdatasync';

/** The process's report about itself. */
interface Announcement {
  readonly port: number;
  readonly settings: Readonly<Record<string, string | number>>;
}

/** The system calls around the 202. */
interface Trace {
  /** Writes to the write-ahead log before the answer. */
  readonly logWrites: number;
  /** True if the log was synced after the last of these writes and before the answer. */
  readonly synced: boolean;
}

function hasStrace(): boolean {
  const { status, error } = spawnSync('strace', ['-e', 'trace=none', 'true'], { stdio: 'ignore' });
  const reason = error?.message ?? `strace ended with ${status}`;
  return mayUse("the trace of a commit's system calls", error === undefined && status === 0, reason);
}

async function postOnce({ port }: Announcement, { apiKey }: SeededWorkspace): Promise<number> {
  const { url, body } = requestOf('least-traced');
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': 'least-traced',
  };
  const response = await fetch(`http://127.0.0.1:${port}${url}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  await response.text();
  return response.status;
}

async function announcementOf(child: ChildProcess): Promise<Announcement> {
  if (child.stdout === null) throw new Error('The process has no standard output.');
  for await (const line of createInterface(child.stdout)) return JSON.parse(line) as Announcement;
  throw new Error('The process ended without output.');
}

/** Lets a traced process answer one send. */
async function traceOfOneSend(
  location: DatabaseLocation,
  folder: string,
): Promise<{ trace: string[]; announcement: Announcement }> {
  const seeding = createMailService({ storage: storageOf(location) });
  const workspace = await seed(seeding);
  await seeding.stop();
  const file = join(folder, 'trace');
  // -y shows the path or the socket of every descriptor; -s limits the shown bytes of each write.
  const flags = ['-f', '-y', '-s', '40', '-e', `trace=${calls}`, '-o', file];
  const child = spawn('strace', [...flags, process.execPath, script, JSON.stringify(location)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const announcement = await announcementOf(child);
  assert.is(await postOnce(announcement, workspace), 202);
  child.stdin.end();
  assert.equal(await once(child, 'exit'), [0, null]);
  return { trace: readFileSync(file, 'utf8').split('\n'), announcement };
}

/** Reads the lines up to the line that sends the 202. */
function parseTrace(lines: readonly string[]): Trace {
  const answer = lines.findIndex(
    (line) => /(?:write|writev|sendto|sendmsg)\(\d+<(?:TCP|socket)/.test(line) && line.includes('HTTP/1.1 202'),
  );
  assert.ok(answer > 0, 'no 202 in the trace');
  const before = lines.slice(0, answer);
  const isLog = (line: string): boolean => /^\d+ +\w+\(\d+<[^>]*\.db-wal>/.test(line);
  const isWrite = (line: string): boolean => isLog(line) && /^\d+ +pwrite64\(/.test(line);
  const isSync = (line: string): boolean => isLog(line) && /^\d+ +(?:fsync|fdatasync)\(.*\) += 0$/.test(line);
  const lastWrite = before.findLastIndex(isWrite);
  return { logWrites: before.filter(isWrite).length, synced: before.slice(lastWrite + 1).some(isSync) };
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-fsync-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (hasStrace()) {
  test('an accepted send is on the disk before the 202 leaves', () =>
    withFolder(async (folder) => {
      const location: DatabaseLocation = { kind: 'sqlite', filename: join(folder, 'full.db') };
      const { trace, announcement } = await traceOfOneSend(location, folder);
      const { logWrites, synced } = parseTrace(trace);
      console.log(`# ${logWrites} writes to the log before the 202`);
      assert.ok(logWrites > 0, 'nothing was written to the log');
      assert.ok(synced, 'the 202 left before the log was synced');
      assert.is(announcement.settings.journal_mode, 'wal');
      assert.is(announcement.settings.synchronous, 2);
    }));

  test('the check detects a writer that does not wait for the disk', () =>
    withFolder(async (folder) => {
      const location: DatabaseLocation = { kind: 'sqlite', filename: join(folder, 'normal.db'), synchronous: 'normal' };
      const { trace, announcement } = await traceOfOneSend(location, folder);
      const { logWrites, synced } = parseTrace(trace);
      assert.ok(logWrites > 0, 'nothing was written to the log');
      assert.not(synced, 'the check did not detect that the log was not synced before the answer');
      assert.is(announcement.settings.synchronous, 1);
    }));
}

test('the live writer runs in WAL mode with synchronous FULL by default', () =>
  withFolder(async (folder) => {
    const service = createMailService({ storage: storageOf({ kind: 'sqlite', filename: join(folder, 'live.db') }) });
    const { driver } = await service.core.anyDatabase();
    const { journal_mode, synchronous } = await driver.describe();
    assert.equal({ journal_mode, synchronous }, { journal_mode: 'wal', synchronous: 2 });
    await service.stop();
  }));

test.run();
