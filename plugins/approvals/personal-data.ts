// Texts that people write about a request may contain an address. Requests contain uids of members and texts of the company, but
// no record of a contact.
import type { PersonalData } from '../../core/index.ts';
import { sweepRequestTexts } from './store.ts';

export const personalData: PersonalData = {
  export: async () => ({}),
  erase: async () => 'done',
  sweep: sweepRequestTexts,
};
