// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { releaseAction, reputationPage } from './reputation.ts';

export const reputation: ConsolePageContent = { render: reputationPage, actions: { release: releaseAction } };
