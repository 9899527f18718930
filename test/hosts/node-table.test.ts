// The table of requests through hosts/node, at the root and below a path: the answers equal those of service.fetch exactly.
// full-run: slow
import { suite } from 'uvu';
import { nodeHost } from '../../hosts/node/index.ts';
import { hostClientTo } from './host-clients.ts';
import { listen } from './programs.ts';
import { testHostTable } from './table.ts';

const test = suite('requests through node:http');

for (const basePath of ['', '/messaging', '/a/b/']) {
  const base = basePath.replace(/\/$/, '');
  testHostTable(test, `node:http, mounted at ${base === '' ? 'the root' : base},`, async ({ service }) => {
    const program = await listen(nodeHost(service, { basePath }));
    return { client: hostClientTo(`${program.origin}${base}`), close: program.close };
  });
}

test.run();
