// Resources of the MCP endpoint with OAuth tokens: the answer for a missing scope is the same as for a tool, so that the client can
// request it.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openOAuthBench } from '../support/oauth-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const composed = new Set(['workspace', 'keys', 'audit', 'brand', 'oauth']);

await twoDatabases('resources with OAuth tokens', (test, database) => {
  test('a resource without its scope is refused with 403 and the scope to request, even if the resource does not exist', async () => {
    const bench = await openOAuthBench(database, undefined, {
      plugins: bareStandardPlugins.filter(({ id }) => !composed.has(id)),
    });
    try {
      const template = { key: 'receipt', mode: 'html', subject: 'Hello', body: '<p>Hello</p>' };
      assert.is((await bench.request('/v1/templates', { body: template })).status, 201);
      const readResource = (token: string, uri: string) =>
        bench.fetch('/v1/mcp', {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'resources/read', params: { uri } }),
        });
      const { access_token: token } = await bench.tokens({ scope: 'workspace:read' });
      for (const uri of ['postrider://templates/receipt', 'postrider://templates/none']) {
        const { status, headers, body } = await readResource(token, uri);
        assert.is(status, 403, JSON.stringify(body));
        const challenge = headers.get('www-authenticate') ?? '';
        assert.match(challenge, /^Bearer .*error="insufficient_scope"/);
        assert.match(challenge, /scope="templates:read"/);
        assert.match(challenge, /resource_metadata="/);
        assert.equal([body.id, body.error.data.error.code], [7, 'insufficient_scope']);
      }
      const more = await bench.tokens({ scope: 'workspace:read templates:read' });
      assert.is(
        (await readResource(more.access_token, 'postrider://templates/receipt')).body.result.contents.length,
        1,
      );
      assert.is((await readResource(more.access_token, 'postrider://templates/none')).status, 200);
      const byKey = await readResource(await bench.keyWith(['workspace:read']), 'postrider://templates/receipt');
      assert.is(byKey.status, 200, 'with a key, the method returns an error');
      assert.is(byKey.body.error.data.error.code, 'insufficient_scope');
    } finally {
      await bench.close();
    }
  });
});
