// The SMS templates of a workspace: installed templates, custom wording, and refused texts.
import * as assert from 'uvu/assert';
import { linkHosts } from '../../plugins/sms/rules/links.ts';
import { twoDatabases } from '../support/databases.ts';
import { openTestService } from '../support/generated.ts';

const path = '/v1/messaging/transactional';
const login = { templateKey: 'auth_login_code', variables: { code: '482913' } };

const hosts: readonly (readonly [string, readonly string[]])[] = [
  ['See Bit.ly/x, or (https://acme.example/t.co).', ['bit.ly', 'acme.example']],
  ['https://bit%2Ely/x bit。ly', ['bit.ly']],
  ['somebody.else@mail.example 3.50 v1.2', ['mail.example']],
  ['リンクbit.ly/xです', ['xn--bit-zj4btlzb.ly', 'bit.ly']],
  ['مصرbit.ly​', ['bit.ly']],
  ['ｂｉｔ．ｌｙ／ｘ bit­.ly', ['bit.ly']],
  ['👉bit.ly「t.co/a」', ['bit.ly', 't.co']],
  ['こちらhttps://bit.lyで', ['bit.xn--ly-gb4a', 'bit.ly']],
];

await twoDatabases('SMS templates', (test, database) => {
  test('the whole kit is installed until a workspace chooses templates, and custom wording replaces its texts', async () => {
    const bench = await openTestService(database);
    try {
      const { service, workspaceId } = bench;
      const catalog = async () => (await bench.request(`${path}/catalog`)).body.data;
      assert.is((await catalog()).length, 16);
      const wording = { body: '{{ code }} opens {{ brand }}{% if code == "0000" %}{% endif %}' };
      await service.sms.setWording(workspaceId, 'auth_login_code', wording);
      const { body: preview } = await bench.request(`${path}/preview`, { body: login });
      assert.is(preview.body, '482913 opens Under test');
      assert.is((await catalog())[0].custom, true);
      await service.sms.setWording(workspaceId, 'auth_login_code', null);
      assert.is((await catalog())[0].custom, false);

      await service.sms.configure(workspaceId, { templates: ['order_shipped'] });
      assert.equal(
        (await catalog()).map((one: { templateKey: string }) => one.templateKey),
        ['order_shipped'],
      );
      const missing = await bench.request(`${path}/preview`, { body: login });
      assert.equal([missing.status, missing.body.error.code], [404, 'sms_template_not_found']);
    } finally {
      await bench.close();
    }
  });

  test('custom wording of class authentication masks every variable except the brand', async () => {
    const bench = await openTestService(database);
    try {
      const { service, workspaceId, testKey: key } = bench;
      const string = { type: 'string' };
      const variables = { type: 'object', properties: { pin: string, parts: { type: 'array', items: string } } };
      const wording = { body: 'PIN {{ pin }} {% for part in parts %}{{ part }}{% endfor %}', variables };
      await service.sms.setWording(workspaceId, 'auth_login_code', wording);
      const values = { pin: '482913', parts: ['77', '52'] };
      const body = { templateKey: 'auth_login_code', to: '+14155550123', variables: values };
      assert.is((await bench.request(path, { body, key })).body.body, 'PIN 482913 7752');
      const { body: list } = await bench.request(`${path}/deliveries`, { key });
      assert.is(list.data[0].body, 'PIN •••••• ••••••••••••');
    } finally {
      await bench.close();
    }
  });

  test('an empty text is refused, and so is wording that cannot be parsed', async () => {
    const bench = await openTestService(database);
    try {
      const { service, workspaceId } = bench;
      await service.sms.setWording(workspaceId, 'auth_login_code', {
        body: '{% if code == "1" %}{{ code }}{% endif %}',
      });
      const empty = await bench.request(`${path}/preview`, { body: login });
      assert.equal([empty.status, empty.body.error.code], [422, 'sms_body_empty']);
      for (const body of ['{{ code', '{{ other }}'])
        await service.sms.setWording(workspaceId, 'auth_login_code', { body }).then(
          () => assert.unreachable(),
          (error: { code?: string }) => assert.is(error.code, 'template_invalid'),
        );
    } finally {
      await bench.close();
    }
  });

  test('the links of a text are found in one pass, and a long text is refused because of its length', async () => {
    for (const [text, found] of hosts) assert.equal(linkHosts(text), found, text);
    // With more than one pass, each of these texts would take minutes.
    for (const part of ['a', 'a.', 'a:', '@', '://', 'https://', '/']) linkHosts(part.repeat(100_000));
    const bench = await openTestService(database);
    try {
      const { service, workspaceId } = bench;
      const variables = { type: 'object', properties: { message: { type: 'string' } } };
      await service.sms.setWording(workspaceId, 'auth_login_code', { body: '{{ message }}', variables });
      const body = { templateKey: 'auth_login_code', to: '+14155550123', variables: { message: 'a'.repeat(50_000) } };
      const { body: long } = await bench.request(path, { body, key: bench.testKey });
      assert.is(long.error.code, 'message_too_long');
      const large = { ...variables, description: 'x'.repeat(20_000) };
      await service.sms.setWording(workspaceId, 'auth_login_code', { body: 'x', variables: large }).then(
        () => assert.unreachable(),
        (error: { code?: string }) => assert.is(error.code, 'validation_failed'),
      );
    } finally {
      await bench.close();
    }
  });

  test("link shorteners are always refused, and sign-in links must use the workspace's domains", async () => {
    const bench = await openTestService(database);
    try {
      await bench.service.sms.configure(bench.workspaceId, { linkDomains: ['go.acme.example'] });
      const statusOf = async (url: string) => {
        const body = { templateKey: 'auth_magic_link', to: '+14155550123', variables: { url } };
        const { status, body: answer } = await bench.request(path, { body, key: bench.testKey });
        return answer.error?.code ?? status;
      };
      assert.is(await statusOf('https://go.acme.example/s7Kp2'), 202);
      for (const url of [
        'https://bit.ly/x',
        'https://x.bit.ly/x',
        'https://go.acme.example.evil.example/',
        'https://acme.example/',
        'https://192.0.2.7/x',
        'http://intranet/x',
        'https://[::1]/x',
        'https://2130706433/',
        'https://evil%2Eexample/x',
        'https://evil.example/@go.acme.example/',
        'https://go.acme.example@evil.example/',
        'https://somebody@go.acme.example/',
      ])
        assert.is(await statusOf(url), 'link_domain_not_allowed', url);
      // Custom wording may accept URLs that the contract of the kit refuses.
      const wording = {
        body: '{{ brand }}: {{ url }} or {{ other }}',
        variables: {
          type: 'object',
          properties: { brand: { type: 'string' }, url: { type: 'string' }, other: { type: 'string', default: '-' } },
        },
      };
      await bench.service.sms.setWording(bench.workspaceId, 'auth_magic_link', wording);
      const sendLink = async (variables: object) => {
        const body = { templateKey: 'auth_magic_link', to: '+14155550123', variables };
        const { status, body: answer } = await bench.request(path, { body, key: bench.testKey });
        return answer.error?.code ?? status;
      };
      const url = 'https://go.acme.example/s7Kp2';
      assert.is(await sendLink({ url }), 202);
      assert.is(await sendLink({ url: 'https://evil.example\\@go.acme.example/' }), 'link_domain_not_allowed');
      assert.is(await sendLink({ url: 'https://go.acme.example\\@evil.example/' }), 'link_domain_not_allowed');
      for (const other of ['https://evil.example/x', 'evil.example', 'x@evil.example', 'https://127.1/'])
        assert.is(await sendLink({ url, other }), 'link_domain_not_allowed', other);
    } finally {
      await bench.close();
    }
  });
});
