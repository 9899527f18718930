// time-limit: 300
// Scores of SpamAssassin's local rules for each starter and for the built-in confirmation mail, in the form sent over SMTP: each must be
// below 1. Nothing is looked up on the network.
// full-run: slow
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mimeSource } from '../../adapters/kit/mime-source.ts';
import { chooseTexts } from '../../core/unstable.ts';
import { builtInConfirmation } from '../../plugins/lists/confirmation/built-in-mails.ts';
import { listTexts } from '../../plugins/lists/texts.ts';
import { checkContract } from '../../plugins/templates/contract/schema.ts';
import { compileMail } from '../../plugins/templates/language/compile.ts';
import { compileContract, createCompiledTemplate } from '../../plugins/templates/rendering/compiled-template.ts';
import { mayUse } from '../support/services.ts';
import { exampleCases, sendStarters } from '../support/starter-mails.ts';

const test = suite('spam scores of the starters');
const program = '/usr/bin/spamassassin';
const highest = 1;

interface Score {
  readonly score: number;
  /** The rules that contributed to the score */
  readonly rules: string;
}

/** One message of the report: its spam status, then the number in its Message-ID */
const headOf =
  /^X-Spam-Status: \w+, score=(-?[\d.]+)[\s\S]*?tests=([\s\S]*?)autolearn=[\s\S]*?^Message-ID: <msg_(\d+)@/gm;

/**
 * The scores of these messages. One process checks all of them, because loading its rules takes seconds. The results may be in any order.
 */
function scoresOf(messages: readonly Uint8Array[]): Promise<readonly Score[]> {
  return new Promise((resolve, reject) => {
    const words = ['--local', '--test-mode', '--mbox', '--cf=use_bayes 0'];
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] });
    let report = '';
    child.stdout.on('data', (chunk) => {
      report += chunk;
    });
    child.once('error', reject);
    child.once('close', () => {
      const scores: Score[] = [];
      for (const [, score, rules = '', number] of report.matchAll(headOf))
        scores[Number(number)] = { score: Number(score), rules: rules.replaceAll(/\s+/g, ' ') };
      if (messages.every((_, index) => scores[index] !== undefined)) resolve(scores);
      else reject(new Error(`SpamAssassin did not score every message: ${report.slice(0, 300)}`));
    });
    for (const message of messages) {
      child.stdin.write('From hello@northwind.example Sun Nov  1 12:00:00 2026\n');
      child.stdin.write(Buffer.from(message).toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
      child.stdin.write('\n\n');
    }
    child.stdin.end();
  });
}

const present = mayUse('the scores of SpamAssassin', existsSync(program), `there is no ${program}`);

const sourceOf = (number: number, subject: string, html: string, text: string) =>
  mimeSource({
    messageId: `<msg_${String(number).padStart(26, '0')}@northwind.example>`,
    from: { email: 'hello@northwind.example', name: 'Northwind' },
    to: { email: 'ada@example.org', name: 'Ada' },
    subject,
    html,
    text,
    headers: {},
    attachments: [],
    date: new Date(),
  });

const english = chooseTexts(listTexts());

/** The confirmation mail of lists, compiled and rendered as in a delivery */
async function confirmation(variables: { readonly name: string; readonly list: string; readonly url: string }) {
  const {
    contract: builtInContract,
    html: body,
    ...source
  } = builtInConfirmation({ name: 'Northwind', style: undefined }, english);
  const checked = checkContract(builtInContract);
  const compiled = await compileMail({ mode: 'html', body, ...source });
  if (!checked.ok || !compiled.ok) throw new Error('The built-in mail does not compile.');
  const template = createCompiledTemplate({ ...compiled.mail, ...compileContract(checked.contract) });
  const now = Date.UTC(2026, 10, 1);
  return { subject: template.subject(variables, now), ...(await template.render(variables, now)) };
}

test('the confirmation mail scores below 1', async () => {
  if (!present) return;
  const url = `https://northwind.example/lists/confirm/${'aB3-'.repeat(16)}`;
  const mails = [
    await confirmation({ name: '', list: 'News', url }),
    await confirmation({ name: 'Ada Lovelace', list: 'Northwind: offers of the week', url }),
  ];
  const messages = await Promise.all(
    mails.map(({ subject, html, text }, index) => sourceOf(index, subject, html, text)),
  );
  for (const { score, rules } of await scoresOf(messages)) assert.ok(score < highest, `${score} (${rules})`);
});

test('each starter scores below 1, but a typical spam message does not', async () => {
  if (!present) return;
  const mails = await sendStarters(exampleCases);
  const shout = 'CLICK HERE NOW!!! Free Viagra, 100% guaranteed, you are a WINNER, dear friend. Act now!';
  const messages = [
    await sourceOf(0, 'FREE $$$ WINNER!!!', `<font size=7 color=red>${shout}</font>`, shout),
    ...(await Promise.all(mails.map(({ subject, html, text }, index) => sourceOf(index + 1, subject, html, text)))),
  ];
  const [spam, ...scores] = await scoresOf(messages);
  assert.ok(spam !== undefined && spam.score > highest, `the spam: ${spam?.score}`);
  const faults = mails.flatMap(({ key, name }, index) => {
    const { score = Number.NaN, rules } = scores[index] ?? {};
    return score < highest ? [] : [`${key}, ${name}: ${score} (${rules})`];
  });
  assert.equal(faults, []);
});

test.run();
