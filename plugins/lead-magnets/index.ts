// Ebooks, guides and checklists that a form gives away as a PDF.
import './events.ts';

export type { FontFaces, FontSource, LeadMagnetsOptions } from './options.ts';
export { leadMagnetsPlugin } from './plugin.ts';
export type { LeadMagnetsService } from './service.ts';
