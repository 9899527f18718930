// The route that an error suggests for an unknown path, or for a method that the path does not have
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('suggested routes');

test('a similar route is suggested, even without a key, but never a route that a plugin serves outside the API', async () => {
  const kit = await createTestService({ plugins: standardPlugins });
  try {
    const suggestionFor = async (path: string, method = 'GET') => {
      const { status, body } = await kit.request(path, { method, key: '' });
      assert.ok(status === 404 || status === 405, `${path} ${status}`);
      return / Did you mean (.*?)\?( |$)/.exec(body.error.message)?.[1];
    };
    assert.is(
      await suggestionFor('/v1/approvals/requests/apr_01JD3Q5S8ZK2M4N6P8R0T2V4W6/decide', 'POST'),
      'POST /v1/approvals/pending/{requestId}/decide',
    );
    assert.is(
      await suggestionFor('/v1/approvals/apr_1/decide', 'POST'),
      'POST /v1/approvals/pending/{requestId}/decide',
    );
    assert.is(await suggestionFor('/v1/template'), 'GET /v1/templates');
    assert.is(await suggestionFor('/v1/sends', 'POST'), undefined, 'without an id, no route with an id is suggested');
    assert.is(await suggestionFor('/v1/templates/welcome/publsh', 'POST'), 'POST /v1/templates/{key}/publish');
    assert.is(
      await suggestionFor('/v1/templates/welcome/publish', 'PUT'),
      undefined,
      'the message already says to use POST',
    );
    for (const path of ['/v1/nothing', '/v1', '/inbx', `/v1/templates/${'a/'.repeat(50)}b`, `/v1/${'t'.repeat(5_000)}`])
      assert.is(await suggestionFor(path), undefined, path);
    const { body } = await kit.request('/v1/approvals/requests/apr_1', { method: 'POST', body: {} });
    assert.match(body.error.message, 'POST does not work here. Use GET.');
    assert.match(body.error.message, 'Did you mean POST /v1/approvals/requests/{requestId}/withdraw?');
  } finally {
    await kit.close();
  }
});

test.run();
