// Compares the watched segments after an import, on its side only: the entry of `contacts.imports`.
import type { ImportListener } from '../../contacts/index.ts';
import { compareSide } from './update-watches.ts';

export const createImportListener = (): ImportListener => ({ imported: compareSide });
