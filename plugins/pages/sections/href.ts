// The links that a page allows: https, mailto, tel, a part of the page, or a path of its host. Scripts are never
// allowed.
import { z } from '../../../core/index.ts';

const hrefPattern =
  /^(?:https:\/\/[^\s<>"'\\]+|mailto:[^\s<>"'\\]+|tel:\+?[0-9 ().-]+|#[A-Za-z][\w-]*|\/(?:[^\s<>"'\\/][^\s<>"'\\]*)?)$/;

/** A link of a page. */
export const href = z
  .string()
  .max(2_048)
  .regex(hrefPattern, 'Give an https, mailto or tel address, #part of the page, or a /path.');
