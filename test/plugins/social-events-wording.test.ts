// time-limit: 120
// The captions of the kit for every channel, and wording that the program configures.
// full-run: slow
import * as assert from 'uvu/assert';
import { captureSocial } from '../../adapters/social/capture.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { connectorsPlugin } from '../../plugins/index.ts';
import { type SocialEventTemplate, socialEventsPlugin } from '../../plugins/social-events/index.ts';
import { kit } from '../../plugins/social-events/kit/kit.ts';
import { oneDatabase } from '../support/databases.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const path = '/v1/social/transactional';

function open(templates: readonly SocialEventTemplate[] = []) {
  const plugins = bareStandardPlugins.map((plugin) => {
    if (plugin.id === 'connectors') return connectorsPlugin({ providers: captureSocial() });
    return plugin.id === 'social-events' ? socialEventsPlugin({ templates }) : plugin;
  });
  return createTestService({ plugins: plugins as unknown as typeof bareStandardPlugins });
}

type Schema = Readonly<Record<string, unknown>>;

/** The longest value that a contract allows */
function longest({ type, maxLength, maxItems, items, maximum }: Schema): unknown {
  if (type === 'array') return Array.from({ length: Number(maxItems) }, () => longest(items as Schema));
  if (type === 'number') return maximum;
  return 'word '
    .repeat(200)
    .slice(0, Number(maxLength) - 1)
    .concat('.');
}

interface Caption {
  readonly channelId: string;
  readonly text: string;
  readonly length: number;
  readonly limit: number;
  readonly problems: readonly { readonly code: string }[];
}

/** On X, a link takes 23 characters after an empty line (two line breaks). */
const roomForLink = 25;

await oneDatabase('wording of social events', (test, database) => {
  // The wording is the same on every database.
  if (database.name !== 'sqlite') return;

  test('the caption of every event fits every channel with a link, even with the longest variables', async () => {
    const bench = await open();
    try {
      const channels = bench.service.core.services.socialChannels.ids;
      assert.is(channels.length, 10);
      for (const { eventKey, variables: contract } of kit) {
        const [example = {}] = contract.examples;
        const requiredValues = Object.fromEntries(contract.required.map((name) => [name, example[name]]));
        const max = Object.fromEntries(Object.entries(contract.properties).map(([name, of]) => [name, longest(of)]));
        for (const variables of [example, requiredValues, max]) {
          const { status, body } = await bench.request(`${path}/preview`, { body: { eventKey, variables, channels } });
          assert.is(status, 200, JSON.stringify(body));
          for (const { channelId, text, length, limit, problems } of body.captions as Caption[]) {
            const label = `${eventKey} on ${channelId}: ${text}`;
            assert.equal(problems, [], label);
            assert.ok(length + roomForLink <= limit, `${label} has ${length} of ${limit}`);
            assert.not.match(text, /\{[{%]|\n{3}|\s$| [.,:]/, label);
            if (variables !== max) assert.not.match(text, /\.\.|…/, label);
          }
        }
      }
    } finally {
      await bench.close();
    }
  });

  test('the program can replace the wording of an event, for all channels or for one', async () => {
    const bench = await open([
      { eventKey: 'back_in_stock', caption: 'Again here: {{ product }}', hashtags: ['#Again'] },
      { eventKey: 'back_in_stock', channelId: 'linkedin', caption: 'We made more of it: {{ product }}.' },
    ]);
    try {
      const body = { eventKey: 'back_in_stock', variables: { product: 'Oak' }, channels: ['x', 'linkedin'] };
      const { captions } = (await bench.request(`${path}/preview`, { body })).body;
      assert.equal(
        captions.map(({ text }: Caption) => text),
        ['Again here: Oak\n\n#Again', 'We made more of it: Oak.'],
      );
      const { data } = (await bench.request(`${path}/templates?eventKey=back_in_stock`)).body;
      assert.ok(data.every(({ wording }: { wording: string }) => wording === 'own'));
      const otherTemplates = (await bench.request(`${path}/templates?eventKey=job_opened`)).body.data;
      assert.ok(otherTemplates.every(({ wording }: { wording: string }) => wording === 'kit'));
    } finally {
      await bench.close();
    }
  });

  test('wording with an unknown event, channel or variable is refused before the service starts', async () => {
    const eventKey = 'back_in_stock';
    assert.throws(
      () => socialEventsPlugin({ templates: [{ eventKey: 'back_in_stok', caption: 'x' }] }),
      /back_in_stock/,
    );
    assert.throws(() => socialEventsPlugin({ templates: [{ eventKey, caption: ' ' }] }), /caption/);
    assert.throws(() => socialEventsPlugin({ templates: [{ eventKey, caption: 'x', hashtags: ['a b'] }] }), /hashtag/);
    const duplicate = { eventKey, caption: 'x' };
    assert.throws(() => socialEventsPlugin({ templates: [duplicate, duplicate] }), /is the second template of/);
    for (const [template, message] of [
      [{ eventKey, caption: '{{ produkt }}' }, /templates\[0\] \(back_in_stock\).*produkt/],
      [{ eventKey, caption: '{% if %}' }, /templates\[0\]/],
      [{ eventKey, caption: 'x', channelId: 'myspace' }, /myspace/],
    ] as const) {
      const bench = await open([template]);
      try {
        await bench.service.start();
        assert.unreachable('the service started');
      } catch (error) {
        assert.match(String(error), message);
      } finally {
        await bench.close();
      }
    }
  });
});
