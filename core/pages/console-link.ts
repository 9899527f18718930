// The entry in the console's navigation for a page with its own access. Called by the plugins that have such a page.
import type { ConsoleEntry, ConsoleLinkDeclaration } from '../contract/declaration/console.ts';
import { hiddenWithoutSignIn, type PageOptions } from './access.ts';

/** No entry if the program does not ask for the page. Without `authorize` the entry exists in development only, as the page. */
export const consoleLink = (
  options: PageOptions | undefined,
  link: Omit<ConsoleLinkDeclaration, 'hidden'>,
): ConsoleEntry[] => (options === undefined ? [] : [{ ...link, hidden: hiddenWithoutSignIn(options) }]);
