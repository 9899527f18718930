// PDF (ISO 32000): checks only that the file begins and ends like a PDF. The content is not read: PDFs are downloaded, never shown inline.
import { brokenFile, type ReadPicture } from './fault.ts';

/** The maximum number of bytes between the end marker and the end of the file. */
const maxTrailingBytes = 1_024;

/** @throws FormatFault */
export function readPdf(bytes: Buffer): ReadPicture {
  const end = bytes.subarray(Math.max(0, bytes.length - maxTrailingBytes)).toString('latin1');
  if (!/^%PDF-[12]\.\d/.test(bytes.toString('latin1', 0, 8)) || !/startxref\s+\d+\s+%%EOF/.test(end))
    throw brokenFile('PDF');
  return { width: null, height: null, durationMs: null };
}
