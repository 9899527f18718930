// Type-checked under the module settings in docs/embedding.md: the imports with which a program composes a service.
import { createService } from 'postrider';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { standardPlugins } from 'postrider/plugins';

export const service = createService({
  plugins: standardPlugins,
  storage: sqliteStorage({ filename: ':memory:' }),
  mail: captureMail(),
});
