// Submissions of a page's forms: the list, its filters, CSV, the honeypot and retention.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { signedTimeIn } from '../support/list-bench.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { formCalls } from '../support/page-forms-bench.ts';

const day = 86_400_000;

await twoDatabases('the submissions of a page', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database, { publicUrl: 'https://app.acme.example' });
  });
  test.after.each(() => bench.close());
  const { pageWith, post, recipients, send } = formCalls(() => bench);

  const list = async (query = '', headers: Record<string, string> = {}) =>
    bench.request(`/v1/pages/news/submissions${query}`, { headers });

  /** Sends a form with the honeypot field filled in, as a browser's autofill might do. */
  async function sendTrapped(fields: Record<string, string>) {
    const at = signedTimeIn((await post('news', {})).text);
    bench.advanceClock(3_000);
    return post('news', { ...fields, more_details: 'Acme', shown_at: at });
  }

  test('the honeypot is hidden from people, and browsers do not fill it in', async () => {
    await pageWith('news', {});
    const { text } = await post('news', {});
    const [trap = ''] = /<div class="trap"[\s\S]*?<\/div>/.exec(text) ?? [];
    for (const part of ['aria-hidden="true"', 'tabindex="-1"', 'autocomplete="off"', 'data-lpignore="true"'])
      assert.match(trap, part);
    assert.not.match(trap, /company|website|name="(?:name|email|url|phone|address)|display:none/);
  });

  test('a submission with a filled-in honeypot is listed as trapped and has no other effect', async () => {
    const { listId } = await bench.service.as(bench.workspaceId).lists.create({ name: 'News' });
    await pageWith('news', { listId });
    const [trapped, sent] = [
      await sendTrapped({ email: 'ada@example.com', name: 'Ada \u0007İ 🙏🏽' }),
      await send('news', { email: 'bo@example.com', name: '=1+1' }),
    ];
    assert.equal([trapped.status, trapped.headers['Location']], [sent.status, sent.headers['Location']]);
    await bench.drain();
    assert.equal(await recipients(), ['bo@example.com']);
    assert.is((await bench.events('page.form_submitted')).length, 1);
    const { status, body } = await list();
    assert.is(status, 200);
    assert.equal(
      body.data.map(({ email, status: state, confirmed }: Record<string, unknown>) => [email, state, confirmed]),
      [
        ['bo@example.com', 'received', false],
        ['ada@example.com', 'trapped', false],
      ],
    );
    assert.equal(body.data[1].fields, { email: 'ada@example.com', name: 'Ada  İ 🙏🏽' });
    const ids = async (query: string) => (await list(query)).body.data.map(({ email }: { email: string }) => email);
    assert.equal(await ids('?status=trapped'), ['ada@example.com']);
    assert.equal(await ids('?formId=signup&status=received'), ['bo@example.com']);
    assert.equal(await ids('?formId=other'), []);
    const first = (await list('?limit=1')).body;
    assert.equal(await ids(`?limit=1&cursor=${first.next_cursor}`), ['ada@example.com']);
    const csv = await list('', { accept: 'text/csv' });
    const text = csv.bytes.toString('utf8');
    assert.match(text, 'submissionId,formId,at,status,confirmed,email,consentText,fields.email,fields.name');
    assert.match(text, "'=1+1");
  });

  test('a key without contacts:read is refused, and trapped submissions are deleted after a week', async () => {
    await pageWith('news', {});
    await sendTrapped({ email: 'not an address', name: 'x' });
    await send('news', { email: 'bo@example.com' });
    const key = await bench.keyWith(['pages:read']);
    const refusal = await bench.request('/v1/pages/news/submissions', { key });
    assert.equal([refusal.status, refusal.body.error.code], [403, 'insufficient_scope']);
    assert.is((await list()).body.data[1].email, null);
    bench.advanceClock(8 * day);
    await bench.drain();
    assert.equal(
      (await list()).body.data.map(({ status }: { status: string }) => status),
      ['received'],
    );
  });
});
