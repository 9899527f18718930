// Strategy, defaults and ICPs are about no person, but their texts may mention an address: erasing a person takes it out.
import type { PersonalData } from '../../core/index.ts';
import { documentRows, icpRows } from './tables.ts';

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  async sweep({ write }, finder) {
    const clean = <T>(value: T): T => JSON.parse(finder.eraseJson(JSON.stringify(value)));
    await write(async ({ trx }) => {
      for (const { name, version, content } of await documentRows.findIn(
        trx,
        'name',
        ['strategy', 'defaults'],
        'update',
      ))
        if (finder.isIn(JSON.stringify(content)))
          // Another version: a caller that holds the old one by its ETag must not keep it.
          await documentRows.update(trx, name, { version: version + 1, content: clean(content) });
      for await (const icps of icpRows.each(trx))
        for (const { id, ...texts } of icps)
          if (finder.isIn(JSON.stringify(texts))) await icpRows.update(trx, id, clean(texts));
    });
  },
};
