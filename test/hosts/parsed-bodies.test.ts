// Public routes behind the program's own body parsers: exact bytes that a parser kept, or a refusal that explains how
// to keep them; and forms that a parser has read.
// full-run: slow
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expressHost } from '../../hosts/express/index.ts';
import { createHostBench, type HostBench } from './bench.ts';
import { type HostResponse, hostResponseOf } from './host-clients.ts';
import { listen, versions } from './programs.ts';

const test = suite<{ bench: HostBench }>('bodies that a parser has read');

test.before.each(async (context) => {
  context.bench = await createHostBench();
});

test.after.each(({ bench }) => bench.close());

const signedText = '{ "event" : "caf\\u00e9" }';
const formType = 'application/x-www-form-urlencoded';

const codeOf = ({ body }: HostResponse) => (JSON.parse(body) as { error: { code: string } }).error.code;

for (const [version, make] of Object.entries(versions)) {
  const postBehind = async (
    { bench }: { bench: HostBench },
    parser: RequestHandler,
    [path, type, body]: readonly [string, string, string],
  ): Promise<HostResponse> => {
    const program = await listen(make().use(parser).use(expressHost(bench.service)));
    try {
      const headers = { 'content-type': type };
      return await hostResponseOf(await fetch(`${program.origin}${path}`, { method: 'POST', headers, body }));
    } finally {
      await program.close();
    }
  };

  test(`${version}: a request whose bytes a parser has discarded is refused, and the error names the remedy`, async (context) => {
    const answer = await postBehind(context, make.json(), ['/hooks/provider', 'application/json', signedText]);
    assert.equal([answer.status, codeOf(answer)], [500, 'body_already_parsed']);
    assert.match(answer.body, /before the body parser.*verify/);
  });

  test(`${version}: bytes that the parser's verify option has kept are exact`, async (context) => {
    const parser = make.json({
      verify: (request: IncomingMessage & { rawBody?: Buffer }, _response, bytes) => {
        request.rawBody = bytes;
      },
    });
    const answer = await postBehind(context, parser, ['/hooks/provider', 'application/json', signedText]);
    assert.is(answer.body, `${signedText.length} ${createHash('sha256').update(signedText).digest('hex')}`);
  });

  test(`${version}: a form that the parser has read stays the same form`, async (context) => {
    const parser = make.urlencoded({ extended: false });
    const answer = await postBehind(context, parser, ['/form', formType, 'name=Ada+L.&tag=a&tag=b%26c']);
    assert.is(
      answer.body,
      JSON.stringify([
        ['name', 'Ada L.'],
        ['tag', 'a'],
        ['tag', 'b&c'],
      ]),
    );
  });

  test(`${version}: a form that the parser has nested is refused`, async (context) => {
    const parser = make.urlencoded({ extended: true });
    const answer = await postBehind(context, parser, ['/form', formType, 'person[name]=Ada']);
    assert.is(codeOf(answer), 'body_already_parsed');
  });

  test(`${version}: an operation does not accept a form in place of JSON`, async (context) => {
    const parser = make.urlencoded({ extended: false });
    const program = await listen(make().use(parser).use(expressHost(context.bench.service)));
    const response = await fetch(`${program.origin}/v1/templates/receipt/send`, {
      method: 'POST',
      headers: { 'content-type': formType, authorization: `Bearer ${context.bench.liveKey}` },
      body: 'to=ada%40example.com',
    });
    assert.is(codeOf(await hostResponseOf(response)), 'media_type_unsupported');
    await program.close();
  });
}

test.run();
