// Draws contacts for holdouts, samples and variants. A draw looks random, but the same input always gives the same result. Pure.
import { createHash } from 'node:crypto';

/** A number from 0 to less than 1. The same contact in the same broadcast always gets the same number for the same purpose. */
export function draw(broadcastId: string, contactId: string, purpose: 'holdout' | 'sample' | 'variant'): number {
  return createHash('sha256').update(`${broadcastId} ${contactId} ${purpose}`).digest().readUInt32BE(0) / 2 ** 32;
}
