// The header that gives a response a file name (RFC 6266). Called by file-response.ts and by pages that offer downloads.

/** The number of characters of a name that are read. More than the 150 that are written, because some are removed. */
const longestName = 400;

/**
 * Makes a name safe. It must not contain path separators, hide the file's type, or contain characters that a header cannot have.
 */
function safeName(name: string): string {
  const safe = name
    .slice(0, longestName)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069/\\:*?"<>|]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 150)
    .replace(/\p{Cs}$/u, '');
  return safe === '' ? 'file' : safe;
}

/**
 * Returns the header's value, such as `attachment; filename="caf_.pdf"; filename*=UTF-8''caf%C3%A9.pdf`: the name in UTF-8 (RFC
 * 8187), and an ASCII form for clients without RFC 8187. Path separators, control characters and bidirectional controls become
 * `_`.
 */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const name = safeName(filename);
  const plain = name.replace(/[^\w. ()-]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
