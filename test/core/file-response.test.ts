// File responses, in addition to the tests of the hosts: empty files, weak tags, and dangerous file names.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contentDisposition, fileResponse, type ServedFile } from '../../core/index.ts';
import { bodyBytes } from '../../hosts/testing/index.ts';

const test = suite('file responses');

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

const answer = (file: Partial<ServedFile>, headers: Record<string, string> = {}, method = 'GET') => {
  const text = '0123456789';
  const servedFile: ServedFile = {
    size: text.length,
    etag: '"v1"',
    type: 'text/plain',
    open: async ({ start, end }) => bytesOf(text.slice(start, end + 1)),
    ...file,
  };
  return fileResponse({ method, headers }, servedFile);
};

test('an empty file is returned without an error for any range, and is never opened', async () => {
  const open = () => assert.unreachable('an empty file was opened') as never;
  for (const range of ['bytes=0-', 'bytes=-5', 'bytes=0-0']) {
    const { status, headers, body } = answer({ size: 0, open }, { range });
    assert.equal([status, headers['Content-Length'], (await bodyBytes(body)).length], [200, '0', 0], range);
  }
});

test('a file is opened only when its bytes are read, with the requested range', async () => {
  const ranges: object[] = [];
  const open: ServedFile['open'] = (range) => {
    ranges.push(range);
    return bytesOf('345');
  };
  const { body } = answer({ open }, { range: 'bytes=3-5' });
  assert.equal(ranges, []);
  assert.is((await bodyBytes(body)).toString(), '345');
  assert.equal(ranges, [{ start: 3, end: 5 }]);
});

test('a weak tag can give 304, but cannot be used to join ranges', () => {
  const file = { etag: 'W/"v1"' };
  assert.is(answer(file, { 'if-none-match': '"v1"' }).status, 304);
  assert.is(answer(file, { range: 'bytes=0-1', 'if-range': 'W/"v1"' }).status, 200);
  assert.is(answer(file, { 'if-match': 'W/"v1"' }).status, 412);
});

test('conditions with a date compare whole seconds, and are ignored if the file has no date', () => {
  const lastModified = Date.UTC(2026, 0, 1, 0, 0, 0, 900);
  const [same, later] = [new Date(lastModified).toUTCString(), new Date(lastModified + 1_000).toUTCString()];
  const earlier = new Date(lastModified - 1_000).toUTCString();
  const statusOf = (headers: Record<string, string>, file: Partial<ServedFile> = { lastModified }) =>
    answer(file, headers).status;
  assert.is(statusOf({ 'if-modified-since': same }), 304);
  assert.is(statusOf({ 'if-modified-since': later }), 304);
  assert.is(statusOf({ 'if-modified-since': earlier }), 200);
  assert.is(statusOf({ 'if-modified-since': 'yesterday' }), 200);
  assert.is(statusOf({ 'if-modified-since': same }, {}), 200);
  assert.is(statusOf({ 'if-unmodified-since': earlier }), 412);
  assert.is(statusOf({ 'if-unmodified-since': same }), 200);
});

test('HEAD ignores a range', () => {
  const { status, headers } = answer({}, { range: 'bytes=0-1' }, 'HEAD');
  assert.equal([status, headers['Content-Length']], [200, '10']);
});

test('the file name in Content-Disposition contains no path and no hidden characters', () => {
  const dispositionOf = (name: string) => contentDisposition('attachment', name);
  assert.is(dispositionOf('report.pdf'), `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`);
  assert.match(dispositionOf('../../etc/passwd'), /filename="_.._etc_passwd"/);
  assert.match(dispositionOf('C:\\windows\\system.ini'), /filename="C__windows_system.ini"/);
  assert.match(dispositionOf('a\r\nSet-Cookie: x=1'), /filename="a__Set-Cookie_ x_1"/);
  assert.match(dispositionOf('invoice\u202efdp.exe'), /filename="invoice_fdp.exe"; filename\*=UTF-8''invoice_fdp.exe$/);
  assert.match(dispositionOf('half \ud800 pair'), /filename="half _ pair"/);
  assert.match(dispositionOf('...'), /filename="file"/);
  for (const name of ['ünï"cö;de', "it's (1)*", '💌', 'x'.repeat(10_000)])
    assert.match(
      dispositionOf(name),
      /^attachment; filename="[\w. ()-]+"; filename\*=UTF-8''[\w.%~!-]+$/,
      name.slice(0, 20),
    );
});

test.run();
