// What is stored of the pieces that a source tells: texts of one line, web addresses, times that have come. Pure.

import { createHash } from 'node:crypto';
import { shortened } from '../../../core/unstable.ts';
import type { NewsPiece } from '../port/index.ts';
import type { NewsRow } from './tables.ts';

/** The most pieces of one answer of a source. */
const maxPieces = 1_000;
const maxUrl = 2_048;

/** A row without its id. */
export type NewPiece = Omit<NewsRow, 'id'>;

/** Control characters, halves of surrogate pairs, what turns the direction of the text after it, and letters that only machines see. */
const unseen = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** One line of at most so many characters; a longer one ends in an ellipsis, after a whole word where that is near. */
export function oneLine(text: string, max: number): string {
  const line = text.replace(unseen, ' ').replace(/\s+/g, ' ').trim();
  return shortened(line, max);
}

/** The address of a page of the web; undefined for any other. A place within the page does not tell pieces apart. */
function webAddress(given: string): { readonly url: string; readonly named: string } | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined;
  if (url.href.length > maxUrl) return undefined;
  const { href } = url;
  url.hash = '';
  return { url: href, named: url.href };
}

/** An id may be written as the address of another piece: each kind has hashes of its own. */
const hash = (kind: 'id' | 'url', text: string): string =>
  createHash('sha256').update(`${kind} ${text}`).digest('base64url');

/** The time of a piece: never later than now, and now where the source knows none. */
const timeOf = ({ publishedAt }: NewsPiece, now: number): number =>
  publishedAt === undefined || !Number.isFinite(publishedAt) ? now : Math.min(Math.trunc(publishedAt), now);

function pieceToStore(piece: NewsPiece, now: number): NewPiece | undefined {
  const title = oneLine(piece.title, 300);
  const address = webAddress(piece.url);
  if (title === '' || address === undefined) return undefined;
  return {
    key_hash: hash('id', piece.id),
    url_hash: hash('url', address.named),
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
 * The pieces that are kept, each once, the oldest first: ids that are made in this order have the order of the times. Pieces from
 * before `since` would be removed at once, and come again with the next call.
 */
export function toStore(
  pieces: readonly NewsPiece[],
  { now, since }: { readonly now: number; readonly since: number },
): NewPiece[] {
  const newest = pieces
    .flatMap((piece) => pieceToStore(piece, now) ?? [])
    .filter(({ published_at }) => published_at >= since)
    .sort((one, other) => other.published_at - one.published_at)
    .slice(0, maxPieces);
  const seen = new Set<string>();
  return newest
    .filter(({ key_hash, url_hash }) => {
      const isNew = !seen.has(key_hash) && !seen.has(url_hash);
      seen.add(key_hash).add(url_hash);
      return isNew;
    })
    .reverse();
}
