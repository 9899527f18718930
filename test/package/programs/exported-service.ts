// Compiled with `declaration: true` against the installed package: each type of an exported service must have a name that a
// program can import.
import { createService } from 'postrider';
import { captureMail } from 'postrider/adapters/mail/capture';
import { sqliteStorage } from 'postrider/adapters/storage/sqlite';
import { standardPlugins } from 'postrider/plugins';

export const service = createService({
  plugins: standardPlugins,
  storage: sqliteStorage({ filename: ':memory:' }),
  mail: captureMail(),
});
export const openService = () => service;
export const calls = service.as('ws_1');
