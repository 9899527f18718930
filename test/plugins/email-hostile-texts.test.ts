// The additions of a send to a mail with hostile texts. The preview shows the same mail, except for the tokens.
// full-run: slow
import { parse, serialize } from 'parse5';
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { publicUrl } from '../support/tracked-mail.ts';

const bodies: Readonly<Record<string, string>> = {
  turkish: '<html><body><p>İyi günler {{name}}</p></body></html>',
  many: `<html><body><p>${'İ'.repeat(40)} {{name}}</p><a href="https://a.example/?q=1">x</a></body></html>`,
  comment: '<body><p>{{name}}</p><!-- </body> --></body><!-- </body> -->',
  attribute: '<body><p>{{name}}</p><img src="https://a.example/x.png" alt="</body>"></body>',
  bare: '<!doctype html><p>{{name}} 👩‍👩‍👧</p>',
};
const names = ['Ada', 'İIı ẞ', '日本 👩‍👩‍👧‍👦', '</body>', '<!--'];

/** Replaces the tokens of tracking and preferences, which differ for each send. */
const withoutTokens = (text: string): string =>
  text
    .replace(/(\/(?:t\/[oc]|u|preferences)\/)[\w.~-]+/g, '$1TOKEN')
    .replaceAll('\r\n', '\n')
    .trim();

await twoDatabases('mails as they are sent', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database, { publicUrl });
    for (const [key, body] of Object.entries(bodies)) {
      await bench.publish(key, {
        category: 'marketing',
        body: body.replace('</p>', ' <a href="%unsubscribe_url%">Leave</a></p>'),
        previewText: 'Seen first {{name}}',
      });
    }
  });
  test.after(() => bench.close());

  for (const key of Object.keys(bodies))
    test(`the preview equals the delivered mail, and every addition is inside the body: ${key}`, async () => {
      for (const [index, name] of names.entries()) {
        const variables = { name };
        const to = `${key}-${index}@example.org`;
        const { body: preview, status } = await bench.request('/v1/transactional/preview', {
          body: { template: key, variables },
        });
        assert.is(status, 200, JSON.stringify(preview));
        assert.is((await bench.send(key, { to, variables })).status, 202);
        await bench.drain();
        const mail = (await bench.received()).find((one) => one.to?.some(({ address }) => address === to));
        assert.is(withoutTokens(mail?.html ?? ''), withoutTokens(preview.html));
        assert.is(withoutTokens(mail?.text ?? ''), withoutTokens(preview.text));
        const { html } = preview;
        assert.match(html, /<img src="[^"]*\/t\/o\//);
        assert.match(html, /\/preferences\//);
        const reserialized = serialize(parse(html));
        const text = reserialized.replace(/<[^>]*>/g, '');
        assert.not.match(text, /ody>/, reserialized);
        assert.match(reserialized, /<body[^>]*>.*Seen first.*<img[^>]*\/t\/o\/.*<\/body>/s);
        assert.ok(!key.startsWith('bare') || html.startsWith('<!doctype html>'), html.slice(0, 40));
      }
    });

  test('the warning html_clipped counts the additions of a send', async () => {
    const long = (length: number) =>
      `<body><p>{{name}}</p><p>${'x'.repeat(length)}</p><a href="%unsubscribe_url%">Leave</a></body>`;
    const codes = async (template: string) => {
      const { body } = await bench.request(`/v1/templates/${template}/render`, {
        body: { variables: { name: 'Ada' } },
      });
      return (body.warnings as { code: string }[]).map(({ code }) => code);
    };
    await bench.publish('plain', { body: long(101_800), subject: 'Hi' });
    await bench.publish('news', { body: long(101_800), subject: 'Hi', category: 'marketing' });
    assert.equal([await codes('plain'), await codes('news')], [[], ['html_clipped']]);
  });
});
