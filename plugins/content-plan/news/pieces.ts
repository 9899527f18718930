// Normalizes the pieces that a source returns before they are stored: texts of one line, web URLs, times that are not in the future. Pure.

import { createHash } from 'node:crypto';
import { parseUrl, shortened } from '../../../core/unstable.ts';
import type { NewsPiece } from '../port/index.ts';
import type { NewsRow } from './tables.ts';

/** The maximum number of pieces of one answer of a source. */
const maxPieces = 1_000;
const maxUrl = 2_048;

/** A row without its id. */
export type NewPiece = Omit<NewsRow, 'id'>;

/** Control characters, lone surrogates, bidirectional controls, byte order marks and tag characters. */
const invisible = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** The text on one line of at most `max` characters. A longer text is shortened with an ellipsis, after a whole word if possible. */
export function oneLine(text: string, max: number): string {
  const line = text.replace(invisible, ' ').replace(/\s+/g, ' ').trim();
  return shortened(line, max);
}

/** A web URL, and the same URL without its fragment, by which pieces are compared; undefined if it is not an http or https URL. */
function webAddress(input: string): { readonly url: string; readonly withoutFragment: string } | undefined {
  const url = parseUrl(input);
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined;
  if (url.href.length > maxUrl) return undefined;
  const { href } = url;
  url.hash = '';
  return { url: href, withoutFragment: url.href };
}

/** Hashes an id or a URL. The kind is part of the hash, because the id of one piece can be the URL of another. */
const hash = (kind: 'id' | 'url', text: string): string =>
  createHash('sha256').update(`${kind} ${text}`).digest('base64url');

/** The time of a piece, at most now; now if the source has no time. */
const timeOf = ({ publishedAt }: NewsPiece, now: number): number =>
  publishedAt === undefined || !Number.isFinite(publishedAt) ? now : Math.min(Math.trunc(publishedAt), now);

function pieceToStore(piece: NewsPiece, now: number): NewPiece | undefined {
  const title = oneLine(piece.title, 300);
  const address = webAddress(piece.url);
  if (title === '' || address === undefined) return undefined;
  return {
    key_hash: hash('id', piece.id),
    url_hash: hash('url', address.withoutFragment),
    title,
    url: address.url,
    source: oneLine(piece.source, 200),
    excerpt: oneLine(piece.excerpt, 500),
    published_at: timeOf(piece, now),
    score: 0,
    created_at: now,
  };
}

/**
 * The pieces to store, each once. They are sorted oldest first, so that their ids have the order of their times. Pieces from before
 * `since` are left out: they would be removed at once, and stored again with the next call.
 */
export function newPiecesOf(
  pieces: readonly NewsPiece[],
  { now, since }: { readonly now: number; readonly since: number },
): NewPiece[] {
  const newest = pieces
    .flatMap((piece) => pieceToStore(piece, now) ?? [])
    .filter(({ published_at }) => published_at >= since)
    .sort((a, b) => b.published_at - a.published_at)
    .slice(0, maxPieces);
  const seenHashes = new Set<string>();
  return newest
    .filter(({ key_hash, url_hash }) => {
      const isNew = !seenHashes.has(key_hash) && !seenHashes.has(url_hash);
      seenHashes.add(key_hash).add(url_hash);
      return isNew;
    })
    .reverse();
}
