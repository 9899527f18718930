// time-limit: 300
// Attacks on the template language and on its output: each is refused with an error code, fails before a mail leaves, or renders without
// harm. The prototypes, files and processor time of the server are safe.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type AttackBench, openBench } from './attack-bench.ts';
import { codeIn } from './html-code.ts';
import type { CheckedResponse } from './response-check.ts';
import { bombs, markupAttacks, serverAttacks, type TemplateAttack, variableAttacks } from './template-attacks.ts';

const codesOf = ({ json }: CheckedResponse): string[] =>
  (json.error?.details ?? []).map(({ code }: { code: string }) => code);

function assertRefused(answer: CheckedResponse, code: string): void {
  assert.is(answer.status, 422, answer.text);
  assert.ok(codesOf(answer).includes(code), answer.text);
}

/** Runs an attack and asserts its expected outcome. */
async function runAttack(bench: AttackBench, { draft, variables = {}, becomes }: TemplateAttack): Promise<void> {
  const { key, answer: created } = await bench.create(draft);
  const publication = created.status === 201 ? await bench.post(`/v1/templates/${key}/publish`, {}) : created;
  assert.equal([...created.faults, ...publication.faults], []);
  if ('publish' in becomes) return assertRefused(publication, becomes.publish);
  assert.is(publication.status, 200, publication.text);
  const { to, answer } = await bench.send(key, variables);
  assert.equal(answer.faults, []);
  if ('send' in becomes) return assertRefused(answer, becomes.send);
  assert.is(answer.status, 202, answer.text);
  const before = process.cpuUsage();
  await bench.test.drain();
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 4_000_000, `rendering took ${(user + system) / 1_000} ms of processor time`);
  const { json: send } = await bench.get(`/v1/sends/${answer.json.id}`);
  const mail = bench.test.mail.lastTo(to);
  if ('failed' in becomes) {
    assert.is(send.status, 'failed');
    assert.match(send.whyNotSent, becomes.failed);
    assert.is(mail, undefined, 'a mail left');
    return;
  }
  if (send.status === 'failed') {
    assert.match(send.whyNotSent, /cannot be rendered/);
    return;
  }
  assert.ok(mail !== undefined);
  assert.not.match(mail.html, becomes.mail);
  assert.not.match(mail.subject, becomes.mail);
  assert.equal(codeIn(mail.html), []);
}

await twoDatabases('attacks on templates', (test, database) => {
  let bench: AttackBench;
  test.before(async () => {
    bench = await openBench(database);
    // Modules that are loaded at their first use must not count as time of an attack.
    for (const mode of ['mjml', 'html'] as const)
      await bench.publish({ mode, body: '<mjml><mj-body></mj-body></mjml>', variables: { type: 'object' } });
  });
  test.after(() => bench.close());

  const groups = { server: serverAttacks, bomb: bombs, markup: markupAttacks, variables: variableAttacks };
  for (const [group, attacks] of Object.entries(groups))
    for (const attack of attacks) test(`${group}: ${attack.name}`, () => runAttack(bench, attack));

  test('control: the same variables arrive in normal use', async () => {
    const key = await bench.publish({
      body: '<a href="{{ url }}">{{ name }}</a>',
      subject: 'Hi {{ name }}',
      variables: { type: 'object', additionalProperties: true },
    });
    const { to } = await bench.send(key, { name: 'Ada', url: 'https://x.example/?a=b&c=d' });
    await bench.test.drain();
    assert.match(bench.test.mail.lastTo(to)?.html ?? '', 'https://x.example/?a=b&amp;c=d');
    assert.is(bench.test.mail.lastTo(to)?.subject, 'Hi Ada');
  });

  test('no attack changed a prototype', () => {
    assert.equal(Object.keys(Object.prototype), []);
    assert.is(({} as { polluted?: unknown }).polluted, undefined);
  });
});
