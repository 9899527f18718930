// The table of requests through Express 4 and 5, before and after express.json(): the answers equal those of
// service.fetch exactly.
// full-run: slow
import { suite } from 'uvu';
import { hostClientTo } from './host-clients.ts';
import { type ExpressVersion, embeddingProgram, listen } from './programs.ts';
import { testHostTable } from './table.ts';

const test = suite('requests through Express');

const variants: [version: ExpressVersion, parser: 'before' | 'after'][] = [
  ['Express 4', 'after'],
  ['Express 4', 'before'],
  ['Express 5', 'after'],
  ['Express 5', 'before'],
];

for (const [version, parser] of variants) {
  const name = `${version}, mounted ${parser === 'before' ? 'after' : 'before'} express.json(),`;
  testHostTable(test, name, async ({ service }) => {
    const program = await listen(embeddingProgram(version, service, parser));
    return { client: hostClientTo(`${program.origin}/messaging`), close: program.close };
  });
}

test.run();
