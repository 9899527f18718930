// The generated tests of operations that are declared with `of` and a resource: dry runs, replays, foreign rows, scopes, errors, pages.
// full-run: slow
import { operationSuite } from '../../hosts/testing/operation-suite.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { twoDatabases } from '../support/databases.ts';
import { harbourPlugin, operations } from './harbour-plugin.ts';

await twoDatabases('operations of declared resources', (test, database) => {
  const open = () =>
    createTestService({
      plugins: [harbourPlugin()],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
    });
  operationSuite('harbours', open, operations, (name, run) => {
    test(name, run);
  });
});
