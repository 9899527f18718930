// The webhook verification code of the reference page in other languages: each example accepts a signed body and refuses any other body.
// The code of a language that is not installed does not run.
// full-run: slow
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signWebhook } from '../../core/unstable.ts';
import { signatureForms } from '../../plugins/reference/signatures.ts';

const test = suite('the code that verifies webhooks');

const secret = 'whsec_cG9zdHJpZGVyLWRvY3VtZW50YXRpb24tdmVjdG9y';
const body = '{"type":"order_paid","name":"Zoë"}';
const codeIn = (language: string): string => signatureForms.find(({ title }) => title === language)?.code ?? '';
const text = (value: string): string => JSON.stringify(value);

/** Returns a program that prints whether the given body is genuine. */
type Program = (headers: Readonly<Record<string, string>>, receivedBody: string) => string;

const pairs = (headers: Readonly<Record<string, string>>, between: string): string =>
  Object.entries(headers)
    .map(([name, value]) => `${text(name)}${between}${text(value)}`)
    .join(', ');

const programs: Readonly<Record<string, { readonly command: string; readonly file: string; readonly of: Program }>> = {
  Python: {
    command: 'python3',
    file: 'check.py',
    of: (headers, receivedBody) =>
      `${codeIn('Python')}\nprint(is_genuine({${pairs(headers, ': ')}}, ${text(receivedBody)}.encode(), ${text(secret)}))`,
  },
  PHP: {
    command: 'php',
    file: 'check.php',
    of: (headers, receivedBody) =>
      `<?php\n${codeIn('PHP')}\necho is_genuine([${pairs(headers, ' => ')}], '${receivedBody}', '${secret}') ? 'True' : 'False';`,
  },
  Ruby: {
    command: 'ruby',
    file: 'check.rb',
    of: (headers, receivedBody) =>
      `${codeIn('Ruby')}\nputs genuine?({${pairs(headers, ' => ')}}, ${text(receivedBody)}, ${text(secret)}) ? "True" : "False"`,
  },
  Go: {
    command: 'go',
    file: 'check.go',
    of: (headers, receivedBody) => {
      const set = Object.entries(headers).map(([name, value]) => `\theader.Set(${text(name)}, ${text(value)})`);
      const main = `func main() {\n\theader := http.Header{}\n${set.join('\n')}\n\tprintln(isGenuine(header, []byte(${text(receivedBody)}), ${text(secret)}))\n}`;
      return `package main\n\n${codeIn('Go')}\n\n${main}`;
    },
  },
};

for (const [language, { command, file, of }] of Object.entries(programs)) {
  if (spawnSync(command, [command === 'go' ? 'version' : '--version']).status !== 0) continue;
  test(`${language}: a signed body is genuine, and another body is not`, () => {
    const headers = signWebhook({
      eventId: 'evt_01JD0C8Z4V6QK3M9T2X5R7W8YB',
      eventType: 'order_paid',
      deliveryId: 'dlv_01JD0C8Z4V6QK3M9T2X5R7W8YB',
      timestampSeconds: Math.floor(Date.now() / 1_000),
      body,
      secrets: [`whsec_${Buffer.alloc(24, 7).toString('base64')}`, secret],
      service: 'Postrider',
    });
    const folder = mkdtempSync(join(tmpdir(), 'signature-'));
    try {
      const outputOf = (receivedBody: string): string => {
        writeFileSync(join(folder, file), of(headers, receivedBody));
        if (command !== 'go') return execFileSync(command, [join(folder, file)], { encoding: 'utf8' });
        const environment = { ...process.env, GOFLAGS: '-mod=mod', GO111MODULE: 'off' };
        return spawnSync('go', ['run', join(folder, file)], { encoding: 'utf8', env: environment }).stderr;
      };
      assert.match(outputOf(body).toLowerCase(), /^true/);
      assert.match(outputOf(body.replace('Zoë', 'Eve')).toLowerCase(), /^false/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test('each language has its example, and the JavaScript example imports verifyWebhook from this package', () => {
  assert.equal(
    signatureForms.map(({ title }) => title),
    ['JavaScript', 'Python', 'PHP', 'Ruby', 'Go'],
  );
  assert.match(codeIn('JavaScript'), "import { verifyWebhook } from 'postrider/webhooks';");
});

test.run();
