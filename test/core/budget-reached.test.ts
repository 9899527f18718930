// Two jobs that report the same budget at the same time: each percentage is emitted once, and no job fails.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('budget.reached');

test('if 80 and 100 percent are reached together, each is emitted once, and no job fails', async () => {
  const kit = await createTestService({ plugins: standardPlugins });
  const percentages: number[] = [];
  kit.service.on('budget.reached', ({ data }) => void percentages.push(data.percent));
  try {
    const { id } = await kit.service.workspaces.create({
      name: 'Acme',
      defaultFrom: { email: 'hello@acme.example', name: 'Acme' },
      figures: { monthlySendBudget: 5 },
    });
    const { templates, email } = kit.service.as(id);
    await templates.create({ key: 'hello', mode: 'html', subject: 'Hi', body: '<p>Hi.</p>' });
    await templates.publish({ key: 'hello' });
    for (let count = 0; count < 5; count += 1)
      await email.send({ template: 'hello', to: `ada${count}@example.org`, variables: {} });
    assert.is((await kit.service.drain()).failed, 0);
    kit.advanceClock(1_500);
    await kit.service.drain();
    assert.equal(percentages.sort(), [100, 80]);
  } finally {
    await kit.close();
  }
});

test.run();
