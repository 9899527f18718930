// One process of compile-delay.ts: compiles in the way that its argument names, and prints milliseconds as JSON.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { createTemplateCompiler, type TemplateCompiler } from '../../plugins/templates/compiler/compiler.ts';
import { CompileMemo, compileMail, type MailSource } from '../../plugins/templates/language/compile.ts';
import { starters } from '../../plugins/templates/starters/catalogue.ts';

const inThread = process.argv[2] === 'in a thread';

const inProcess: TemplateCompiler = {
  async compile(_caller, mails) {
    const memo = new CompileMemo();
    return Promise.all(mails.map((mail) => compileMail(mail, memo)));
  },
  stop: async () => undefined,
};
const compiler = inThread ? createTemplateCompiler() : inProcess;

const mailOf = (mode: 'html' | 'mjml', body: string): MailSource => ({ mode, body, subject: 'S', previewText: '' });
const receipt = mailOf('mjml', starters().find(({ key }) => key === 'receipt')?.body ?? '');
// Inlining this rule takes 5 s with 200 elements, and 44 s with 400.
const hostile = mailOf('html', `<style>i ~ b ~ b ~ b { color: red }</style>${'<b>x</b>'.repeat(200)}`);

/** Milliseconds that the work takes, and the longest time for which the event loop was blocked. */
async function measure(work: () => Promise<unknown>): Promise<{ took: number; blockedMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await wait(20);
  delay.reset();
  const startedAt = performance.now();
  await work();
  const tookMs = performance.now() - startedAt;
  await wait(20);
  delay.disable();
  return { took: tookMs, blockedMs: delay.max / 1e6 };
}

const compileOnce = (mail: MailSource) => () => compiler.compile({ workspace: { id: 'w' }, signal: undefined }, [mail]);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const tenths = (value: number): number => Math.round(value * 10) / 10;

const first = await measure(compileOnce(receipt));
for (let round = 0; round < 30; round += 1) await compileOnce(receipt)();
const many = [];
for (let round = 0; round < 30; round += 1) many.push(await measure(compileOnce(receipt)));
const attack = await measure(compileOnce(hostile));
await compiler.stop();

const results: Record<string, number> = {
  'first, took': tenths(first.took),
  'first, held': tenths(first.blockedMs),
  'receipt, took': tenths(median(many.map(({ took }) => took))),
  'receipt, held': tenths(median(many.map(({ blockedMs: held }) => held))),
  'hostile, took': tenths(attack.took),
  'hostile, held': tenths(attack.blockedMs),
};

const plugins = standardPlugins.map((plugin) =>
  inThread || plugin.id !== 'templates'
    ? plugin
    : { ...plugin, services: { ...plugin.services, templateCompiler: () => inProcess } },
);
const { service, workspaceId, close } = await createTestService({ plugins });
const { templates } = service.as(workspaceId);
const publish = () => templates.publish({ key: 'receipt' });
for (let round = 0; round < 20; round += 1) await publish();
const publishTimes = [];
for (let round = 0; round < 30; round += 1) publishTimes.push(await measure(publish));
results['publish, took'] = tenths(median(publishTimes.map(({ took }) => took)));
results['publish, held'] = tenths(median(publishTimes.map(({ blockedMs: held }) => held)));
await close();
process.stdout.write(JSON.stringify(results));
