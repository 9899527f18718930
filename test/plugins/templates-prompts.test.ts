// Prompts and resources of templates and email: they mention only existing tools, and all tools that they declare.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { prompts as emailPrompts } from '../../plugins/email/prompts.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { prompts as templatePrompts } from '../../plugins/templates/prompts.ts';

const test = suite('prompts of templates and email');

/** Tools of other plugins that a prompt mentions as optional, because it is useful without them */
const furtherTools = new Set([
  'list_brands',
  'list_contacts',
  'read_contact',
  'list_sequence_runs',
  'read_sequence_run',
]);

test('each prompt mentions exactly its declared tools', async () => {
  const { service, close } = await createTestService({ plugins: standardPlugins });
  const toolNames = [...service.core.registry.tools.keys()];
  for (const prompt of [...templatePrompts, ...emailPrompts]) {
    const placeholders = Object.fromEntries(prompt.arguments.map(({ name }) => [name, `<${name}>`]));
    const requiredArguments = Object.fromEntries(
      prompt.arguments.flatMap(({ name, required: is }) => (is ? [[name, `<${name}>`]] : [])),
    );
    const text = prompt.text(placeholders);
    const words = new Set(text.match(/[a-z]+(?:_[a-z]+)+/g));
    for (const tool of prompt.tools) assert.ok(words.has(tool), `${prompt.name} does not say what ${tool} is for`);
    for (const tool of toolNames)
      if (words.has(tool) && !furtherTools.has(tool))
        assert.ok(prompt.tools.includes(tool), `${prompt.name} mentions ${tool}`);
    for (const { name } of prompt.arguments) assert.match(text, `<${name}>`);
    assert.is(prompt.text(requiredArguments).includes('undefined'), false, prompt.name);
  }
  await close();
});

test('templates and sends are resources that can be listed', async () => {
  const { service, close } = await createTestService({ plugins: standardPlugins });
  const resources = service.core.registry.resources.map(({ uri, operation, list }) => [uri, operation, list]);
  assert.ok(resources.some((one) => one.join() === 'postrider://templates/{key},templates.read,templates.list'));
  assert.ok(resources.some((one) => one.join() === 'postrider://sends/{id},sends.read,sends.list'));
  await close();
});

test.run();
