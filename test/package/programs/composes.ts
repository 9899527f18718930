// Type-checked under the module settings that docs/embedding.md lists: what a program imports to compose a service.
import { createService } from 'postrider';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { standardPlugins } from 'postrider/plugins';

export const service = createService({
  plugins: standardPlugins,
  storage: sqliteStorage({ filename: ':memory:' }),
  mail: captureMail(),
});
