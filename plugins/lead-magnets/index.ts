// Ebooks, guides and checklists that people get as a PDF after they sent a form.
import './events.ts';

export type { FontFaces, FontSource, LeadMagnetsOptions } from './options.ts';
export { leadMagnetsPlugin } from './plugin.ts';
export type { LeadMagnetsService } from './service.ts';
