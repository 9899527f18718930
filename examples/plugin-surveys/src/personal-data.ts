import type { PersonalData } from 'postrider';
import { present } from './schema.js';
import { rows } from './tables.js';

export const personalData: PersonalData = {
  async export(handle, { emails }, _surface, limit) {
    const surveys = await Promise.all(emails.map((email) => rows.page(handle, { where: { email }, limit })));
    return { surveys: surveys.flat().slice(0, limit).map(present) };
  },
  // The table says which columns are personal, and the core blanks them.
  erase: async () => 'done',
};
