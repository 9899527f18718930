// time-limit: 300
// Attacks at the HTTP level: body, method, request id, sizes, and values that are repeated in response headers.
// full-run: slow
import * as assert from 'uvu/assert';
import { oneDatabase } from '../support/databases.ts';
import { type AttackBench, openBench } from './attack-bench.ts';
import { rowsOf } from './table-rows.ts';

const json = { 'content-type': 'application/json' };

await oneDatabase('attacks over HTTP', (test, database) => {
  let bench: AttackBench;
  let template: string;
  test.before(async () => {
    bench = await openBench(database);
    template = await bench.publish({ variables: { type: 'object' } });
  });
  test.after(() => bench.close());

  test('if a body contains a name twice, validation and effect both use the last value', async () => {
    const text = `{"to":"first@example.org","to":"second@example.org","variables":{},"tags":["${'x'.repeat(200)}"],"tags":["ok"]}`;
    const { status, json: send } = await bench.post(`/v1/templates/${template}/send`, text);
    assert.is(status, 202);
    assert.equal([send.to, send.tags], ['second@example.org', ['ok']]);
    await bench.test.drain();
    assert.is(bench.test.lastMailTo('first@example.org'), undefined);
    assert.ok(bench.test.lastMailTo('second@example.org') !== undefined);
    const refusal = await bench.post(
      `/v1/templates/${template}/send`,
      '{"to":"second@example.org","variables":{},"to":"no address"}',
    );
    assert.is(refusal.json.error.details[0].path, 'to');
  });

  test('a body of another media type is refused before it is read', async () => {
    const before = await rowsOf(bench.test);
    const body = '{"email":"typed@example.org"}';
    const types = [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
    ];
    for (const type of [
      ...types,
      '',
      'json',
      'application/json-seq',
      'application/jsonp',
      'application/json/x',
      '*/*',
      'text/plain;application/json',
    ]) {
      const headers = { 'content-type': type, 'idempotency-key': 'typed' };
      const answer = await bench.ask({ method: 'POST', url: '/v1/suppressions', headers, body });
      assert.equal(answer.faults, [], type);
      assert.is(answer.status, 415, type);
      assert.is(answer.json.error.code, 'media_type_unsupported');
    }
    assert.is(await rowsOf(bench.test), before);
  });

  test('a body in an encoding other than UTF-8 is refused', async () => {
    const body = '{"email":"typed@example.org"}';
    const bodies = [
      Buffer.from(body, 'utf16le'),
      Buffer.from('{"email":"t\xe9@example.org"}', 'latin1'),
      Buffer.from([0x7b, 0xc0, 0x80, 0x7d]),
    ];
    for (const bytes of bodies) {
      const answer = await bench.ask({
        method: 'POST',
        url: '/v1/suppressions',
        headers: { ...json, 'idempotency-key': 'utf' },
        body: bytes,
      });
      assert.equal(answer.faults, []);
      assert.is(answer.json.error.code, 'json_invalid');
    }
  });

  test('a GET ignores its body and method-override headers, and changes nothing', async () => {
    const before = await rowsOf(bench.test);
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const headers = { ...json, [name]: 'POST' };
      const answer = await bench.ask({
        method: 'GET',
        url: '/v1/suppressions',
        headers,
        body: '{"email":"get@example.org"}',
      });
      assert.equal([...answer.faults, answer.status], [200]);
      assert.equal(answer.json.data, []);
    }
    const broken = await bench.ask({ method: 'GET', url: '/v1/suppressions', headers: json, body: '{"' });
    assert.is(broken.status, 200);
    const method = await bench.get('/v1/suppressions?_method=DELETE');
    assert.is(method.json.error.details[0].path, '_method');
    assert.is(await rowsOf(bench.test), before);
  });

  test('every path answers an undeclared method with 405 and its allowed methods', async () => {
    const methodsByPath = new Map<string, Set<string>>();
    for (const { path, method } of bench.test.service.core.registry.operations.values())
      methodsByPath.set(path, (methodsByPath.get(path) ?? new Set()).add(method));
    // A literal segment of a path may match the parameter of another path: `test` is an id in GET /v1/webhooks/{id}.
    const isBoth = (path: string, method: string) =>
      [...methodsByPath].some(
        ([other, methods]) =>
          other !== path &&
          methods.has(method === 'HEAD' ? 'GET' : method) &&
          new RegExp(`^${other.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
      );
    for (const [path, methods] of methodsByPath) {
      for (const method of [
        'GET',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'HEAD',
        'OPTIONS',
        'TRACE',
        'PROPFIND',
        'get',
        '',
      ]) {
        // RFC 9110, section 9.3.2: HEAD is allowed wherever GET is.
        if (methods.has(method === 'HEAD' ? 'GET' : method) || isBoth(path, method)) continue;
        const answer = await bench.ask({ method, url: path.replaceAll(/[{}]/g, '') });
        assert.equal(answer.faults, []);
        assert.is(answer.status, 405, `${method} ${path}`);
        for (const one of methods) assert.ok(answer.headers.Allow?.split(', ').includes(one), `${path} allows ${one}`);
      }
    }
  });

  test('X-Request-Id is kept only if it has the right format', async () => {
    const good = 'req_01JD3Q5S8ZK2M4N6P8R0T2V4W6';
    const ask = (id: string) => bench.ask({ method: 'GET', url: '/v1/workspace', headers: { 'x-request-id': id } });
    assert.is((await ask(good)).headers['X-Request-Id'], good);
    for (const id of [
      `${good}\r\nX-Injected: 1`,
      `${good}\n`,
      ` ${good}`,
      `${good} `,
      good.toLowerCase(),
      'req_1',
      '',
      `${good}, ${good}`,
      '<script>',
      good.replace('0', 'I'),
    ]) {
      const answer = await ask(id);
      assert.equal(answer.faults, []);
      assert.is.not(answer.headers['X-Request-Id'], id);
    }
  });

  test('input of a caller is never repeated in a response header', async () => {
    const canary = 'canary7f3a';
    const hostile = `${canary}\r\nX-Injected: ${canary}\r\n\r\n<html>`;
    const encoded = encodeURIComponent(hostile);
    const headers = {
      ...json,
      'idempotency-key': canary,
      'user-agent': hostile,
      accept: hostile,
      origin: hostile,
      'dry-run': 'true',
      host: canary,
    };
    const requests = [
      { method: 'GET', url: `/v1/templates/${encoded}` },
      { method: 'GET', url: `/v1/${encoded}` },
      { method: canary, url: '/v1/templates' },
      { method: 'GET', url: `/v1/sends?cursor=${encoded}&limit=${encoded}&${encoded}=1` },
      { method: 'POST', url: '/v1/suppressions', body: JSON.stringify({ email: 'a@example.org', note: hostile }) },
      {
        method: 'POST',
        url: `/v1/templates/${template}/send`,
        body: JSON.stringify({ to: 'a@example.org', tags: [canary], metadata: { [canary]: hostile } }),
      },
      { method: 'POST', url: '/v1/templates', body: JSON.stringify({ name: hostile, subject: hostile }) },
      { method: 'POST', url: '/v1/mcp', body: JSON.stringify({ jsonrpc: '2.0', id: canary, method: hostile }) },
      {
        method: 'POST',
        url: '/v1/mcp',
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: canary, capabilities: {}, clientInfo: { name: hostile, version: '1' } },
        }),
      },
    ];
    for (const request of requests) {
      const answer = await bench.ask({ ...request, headers });
      assert.equal(answer.faults, [], request.url);
      assert.not.ok(
        JSON.stringify(answer.headers).includes(canary),
        `${request.url}: ${JSON.stringify(answer.headers)}`,
      );
      assert.match(answer.headers['Content-Type'] ?? '', /^application\/json/);
    }
  });

  test('an invalid Dry-Run value is refused, and nothing is executed', async () => {
    const before = await rowsOf(bench.test);
    for (const value of ['1', 'yes', 'on', 'TRUE!', 'true, false', '"true"', 't', '', 'truе']) {
      const headers = { ...json, 'idempotency-key': `dry-${value}`, 'dry-run': value };
      const answer = await bench.ask({
        method: 'POST',
        url: '/v1/suppressions',
        headers,
        body: '{"email":"dry@example.org"}',
      });
      assert.equal([...answer.faults, answer.status], [422], value);
      assert.is(answer.json.error.details[0].path, 'Dry-Run');
    }
    for (const value of ['true', 'True', ' TRUE ']) {
      const headers = { ...json, 'idempotency-key': `dry-${value}`, 'dry-run': value };
      const answer = await bench.ask({
        method: 'POST',
        url: '/v1/suppressions',
        headers,
        body: '{"email":"dry@example.org"}',
      });
      assert.equal([answer.status, answer.headers['Dry-Run']], [201, 'true']);
    }
    assert.is(await rowsOf(bench.test), before);
  });

  test('the size of a refusal is limited, with any number of errors and any length of names', async () => {
    const long = 'x'.repeat(200_000);
    const bad = Array.from({ length: 50 }, () => ({ filename: '../a.exe', content_type: 'none', data_base64: '!' }));
    const bodies = [
      { to: 'a@example.org', variables: {}, attachments: bad },
      { to: 'a@example.org', variables: {}, [long]: 1 },
      { to: 'a@example.org', variables: { [long]: 1 } },
      {
        to: 'a@example.org',
        variables: {},
        headers: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n} ${long}`, 'a'])),
      },
      Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`name-${n}`, n])),
    ];
    for (const body of bodies) {
      const answer = await bench.post(`/v1/templates/${template}/send`, body);
      assert.equal([...answer.faults, answer.status], [422]);
      assert.ok(answer.text.length < 120_000, `${answer.text.length} characters`);
    }
    const contract = { type: 'object', properties: { x: { type: 'string', [long.slice(0, 60_000)]: 1 } } };
    const answer = await bench.post('/v1/templates', { variables: contract });
    assert.equal([...answer.faults, answer.status], [422]);
    const paths = [`/v1/${long}`, `/v1/templates/${long}`, `/v1/sends?${long}=1`];
    for (const path of paths) assert.ok((await bench.get(path)).text.length < 120_000);
  });

  test('a request with many thousands of parts is refused within a second', async () => {
    const many = (count: number, item: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => item(index)).join();
    const start = '{"to":"a@example.org","variables":{},';
    const bodies = [
      `${start}${many(300_000, (index) => `"k${index}":1`)}}`,
      `${start}"headers":{${many(100_000, (index) => `"k${index}":1`)}}}`,
      `${start}"tags":[${many(1_000_000, () => '1')}]}`,
      `${start}"attachments":[${many(200_000, () => '{}')}]}`,
      `${start}"metadata":{"a":[${many(1_000_000, () => '[]')}]}}`,
      `{"to":"a@example.org","variables":{"a":[${many(1_000_000, () => '{"a":1}')}]}}`,
    ];
    for (const body of bodies) {
      const answer = await bench.post(`/v1/templates/${template}/send`, body);
      assert.equal([...answer.faults, answer.status], [422], body.slice(0, 80));
    }
    const deep = '['.repeat(7_000_000) + ']'.repeat(7_000_000);
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_sends","arguments":{"to":${deep}}}}`;
    for (const [path, body] of [
      [`/v1/templates/${template}/send`, `{"to":"a@example.org","variables":{"a":${deep}}}`],
      ['/v1/mcp', call],
      ['/v1/mcp', `{"jsonrpc":"2.0","id":${deep},"method":"ping"}`],
    ] as const) {
      const answer = await bench.post(path, body);
      assert.equal([...answer.faults, answer.status], [422], body.slice(0, 80));
    }
    const query = await bench.get(`/v1/sends?${'limit=1&'.repeat(200_000)}`);
    assert.equal([...query.faults, query.status], [422]);
  });
});
