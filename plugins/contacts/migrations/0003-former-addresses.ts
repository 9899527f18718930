import { defineMigration } from '../../../core/index.ts';

/** Addresses that contacts had: what was sent there is erased with them. */
export const migration0003 = defineMigration({
  id: '0003-former-addresses',
  changes: [
    {
      create: 'contact_former_addresses',
      columns: { workspace_id: 'id', email: 'address', contact_id: 'id' },
      primaryKey: ['workspace_id', 'email'],
    },
    {
      index: 'contact_former_addresses_contact',
      on: 'contact_former_addresses',
      columns: ['workspace_id', 'contact_id'],
    },
  ],
});
