// Replaces `cid:…` references in a message's HTML with data: URLs, because a frame cannot load the parts itself. Called by
// display-html.ts. The total size of the data: URLs is limited.

/** A part to which the HTML refers as `cid:…`. */
export interface InlinePart {
  readonly contentId: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** The maximum number of characters of all data: URLs in one document. Further parts keep their cid: and can be downloaded. */
export const maxEmbedded = 20 * 1_048_576;

/** Rewrites values of attributes and styles. References to unknown parts do not change. */
export interface Embedder {
  /** One address: src, background, poster. */
  url(value: string): string;
  /** Addresses with their sizes: srcset. */
  urls(value: string): string;
  /** The content of url() in a style. */
  css(text: string): string;
}

const plainType = /^[\w.+-]+\/[\w.+-]+$/;

function decodeName(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The embedder of one document. Each part is encoded once. */
export function createEmbedder(parts: readonly InlinePart[]): Embedder {
  const partsById = new Map(parts.map((part) => [part.contentId.toLowerCase(), part]));
  const encoded = new Map<InlinePart, string>();
  let remainingLength = maxEmbedded;

  const dataUrl = (id: string): string | undefined => {
    const part = partsById.get(id.toLowerCase()) ?? partsById.get(decodeName(id).toLowerCase());
    if (part === undefined) return undefined;
    const mediaType = part.contentType.split(';', 1)[0]?.trim() ?? '';
    const start = `data:${plainType.test(mediaType) ? mediaType : 'application/octet-stream'};base64,`;
    const length = start.length + 4 * Math.ceil(part.content.byteLength / 3);
    if (length > remainingLength) return undefined;
    remainingLength -= length;
    const url = encoded.get(part) ?? `${start}${Buffer.from(part.content).toString('base64')}`;
    encoded.set(part, url);
    return url;
  };
  const replace = (text: string, form: RegExp): string =>
    partsById.size === 0
      ? text
      : text.replace(form, (whole, before: string, id: string) => {
          const url = dataUrl(id);
          return url === undefined ? whole : `${before}${url}`;
        });

  return {
    url: (value) => replace(value, /^(\s*)cid:(\S+)\s*$/i),
    urls: (value) => replace(value, /(^|[\s,])cid:([^\s,]+)/gi),
    css: (text) => replace(text, /(\burl\(\s*["']?)cid:([^"')\s]+)/gi),
  };
}
