// What people write about a request may mention an address. Requests hold uids of members and texts of the company, and no
// record of a contact.
import type { PersonalData } from '../../core/index.ts';
import { sweepTexts } from './store.ts';

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  sweep: sweepTexts,
};
