// The document of the page of social posts: that of consoles, with the style of cards and the calendar.
import { consolePages } from '../../../core/unstable.ts';
import { style } from './style.ts';

/** A whole document. */
export const pageOf = consolePages(style);
