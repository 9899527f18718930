// Files and pages that are the same for every client. They have an entity tag, are compressed for clients that accept
// it, and are cached permanently if the URL names the version. Each file is compressed once. Called by the routes of
// pages.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PublicRequest } from '../contract/declaration/public-route.ts';
import { entityResponse, entityTag } from '../contract/http/entity-tag.ts';
import type { HttpResponse } from '../contract/http/http.ts';

const compressors = {
  br: (bytes: Uint8Array): Promise<Uint8Array> =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
    }),
  gzip: (bytes: Uint8Array): Promise<Uint8Array> => promisify(gzip)(bytes, { level: 9 }),
} as const;

/** A content coding that this file supports. If a client prefers several equally, the first is chosen. */
export type Coding = keyof typeof compressors;
const codings: readonly Coding[] = ['br', 'gzip'];

/** Smaller files, in bytes, are not compressed: they fit into one packet. */
const minCompressedBytes = 1_024;

/**
 * The coding that the client prefers (RFC 9110, section 12.5.3); undefined for the uncompressed bytes, which a client
 * always accepts here. Without Accept-Encoding nothing is compressed.
 */
export function chooseCoding(accepted: string | undefined): Coding | undefined {
  const qualities = new Map<string, number>();
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    if (name !== '' && quality >= 0 && quality <= 1) qualities.set(name === 'x-gzip' ? 'gzip' : name, quality);
  }
  const qualityOfOthers = qualities.get('*') ?? 0;
  let chosen: Coding | undefined;
  let best = qualities.get('identity') ?? 0;
  for (const coding of codings) {
    const quality = qualities.get(coding) ?? qualityOfOthers;
    // If the client prefers a coding and the uncompressed bytes equally, the coding is chosen: compressed bytes arrive sooner.
    if (quality > 0 && (quality > best || (chosen === undefined && quality === best))) {
      chosen = coding;
      best = quality;
    }
  }
  return chosen;
}

/** A file or page. It is compressed when a client first wants that. */
export interface StaticFile {
  readonly type: string;
  readonly body: string;
  /** Weak, because all codings of the file share it (RFC 9110, section 8.8.3.3). */
  readonly tag: string;
  /** Identifies these bytes in a URL: `?v=…`. */
  readonly version: string;
  encoded(coding: Coding): Promise<Uint8Array>;
}

/** Creates a file with this content. Nothing is compressed before a client wants it. */
export function staticFile(body: string, type: string): StaticFile {
  const digest = entityTag(body);
  const encodings = new Map<Coding, Promise<Uint8Array>>();
  return {
    type,
    body,
    tag: `W/${digest}`,
    version: digest.slice(1, 11),
    encoded(coding) {
      const encodedBody = encodings.get(coding) ?? compressors[coding](Buffer.from(body));
      encodings.set(coding, encodedBody);
      encodedBody.catch(() => encodings.delete(coding));
      return encodedBody;
    },
  };
}

/**
 * The answer with the file: uncompressed, compressed, or 304 if the client has it. A URL with the file's own `?v=` is
 * cached for a year; clients must revalidate any other URL. `headers` are sent with every answer; they may set another
 * Cache-Control.
 */
export async function staticResponse(
  request: Pick<PublicRequest, 'headers' | 'query'>,
  file: StaticFile,
  headers: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  const { body, type, tag, version } = file;
  const namesVersion = request.query.get('v') === version;
  const commonHeaders = {
    'Cache-Control': namesVersion ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    Vary: 'Accept-Encoding',
    ...headers,
  };
  const coding = body.length < minCompressedBytes ? undefined : chooseCoding(request.headers['accept-encoding']);
  const answer = entityResponse(request, tag, body, type, commonHeaders);
  if (coding === undefined || answer.status === 304) return answer;
  return {
    ...answer,
    headers: { ...answer.headers, 'Content-Encoding': coding },
    body: await file.encoded(coding),
  };
}
