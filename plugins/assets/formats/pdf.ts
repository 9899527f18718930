// PDF (ISO 32000): whether a file begins and ends as one. What is inside is not read: PDFs are saved, never shown inline.
import { broken, type ReadPicture } from './fault.ts';

/** How far before the end readers look for the mark of the end. */
const tail = 1_024;

/** @throws FormatFault */
export function readPdf(bytes: Buffer): ReadPicture {
  const end = bytes.subarray(Math.max(0, bytes.length - tail)).toString('latin1');
  if (!/^%PDF-[12]\.\d/.test(bytes.toString('latin1', 0, 8)) || !/startxref\s+\d+\s+%%EOF/.test(end))
    throw broken('PDF');
  return { width: null, height: null, durationMs: null };
}
