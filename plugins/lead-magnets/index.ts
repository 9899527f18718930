// Ebooks, guides and checklists that a form gives away as a PDF.
export { leadMagnetsPlugin } from './plugin.ts';
