import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openTestService } from '../support/generated.ts';

await twoDatabases('variables of a template', (test, database) => {
  const publish = async (
    service: Awaited<ReturnType<typeof openTestService>>,
    body: string,
    variables?: Record<string, unknown>,
  ) => {
    const { templates } = service.service.as(service.workspaceId);
    await templates.create({
      key: 'mail',
      mode: 'html',
      subject: 'Hello',
      body,
      ...(variables === undefined ? {} : { variables }),
    });
    await templates.publish({ key: 'mail' });
  };
  const send = (service: Awaited<ReturnType<typeof openTestService>>, variables: unknown) =>
    service.request('/v1/templates/mail/send', {
      body: { to: 'ada@example.com', variables },
      headers: { 'idempotency-key': JSON.stringify(variables).slice(0, 150) },
    });

  test('a variable at the start of a link cannot contain code', async () => {
    const service = await openTestService(database);
    await publish(service, '<p><a href="{{link}}">x</a>{% for i in items %}<a href="{{i.url}}">y</a>{% endfor %}</p>');
    const items = [{ url: 'https://example.com' }, { url: 'java\tscript:alert(1)' }];
    const refusal = await send(service, { link: 'JavaScript:alert(1)', items });
    assert.is(refusal.status, 422);
    assert.is(refusal.body.error.code, 'variables_invalid');
    assert.equal(
      refusal.body.error.details.map((detail: { path: string; code: string }) => [detail.path, detail.code]),
      [
        ['variables.link', 'url_unsafe'],
        ['variables.items.1.url', 'url_unsafe'],
      ],
    );
    assert.is((await send(service, { link: 'https://example.com', items: [] })).status, 202);
    await service.close();
  });

  test('an optional variable without a value is rendered as an empty text', async () => {
    const service = await openTestService(database);
    const variables = {
      type: 'object',
      properties: { name: { type: 'string' }, note: { type: 'string' } },
      required: ['name'],
    };
    await publish(service, '<p>Hello {{name}}.{{note}}</p>', variables);
    assert.is((await send(service, { name: 'Ada' })).status, 202);
    await service.drain();
    assert.match(service.lastMailTo('ada@example.com')?.html ?? '', /Hello Ada\.</);
    await service.close();
  });
});
