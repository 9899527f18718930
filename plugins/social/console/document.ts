// The HTML document of the page of social posts: the console document with the style of the cards and the calendar.
import { consolePages } from '../../../core/unstable.ts';
import { style } from './style.ts';

/** Builds the whole HTML document. */
export const pageOf = consolePages(style);
