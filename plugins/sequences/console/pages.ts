// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { sequenceActions } from './actions.ts';
import { findSequences, sequenceList } from './list.ts';
import { pageStyle as style } from './parts.ts';
import { cancelAction, runPage } from './run.ts';
import { runList } from './runs.ts';
import { sequencePage } from './sequence.ts';

export const sequences: ConsolePageContent = { render: sequenceList, find: findSequences, style };

export const sequence: ConsolePageContent = { render: sequencePage, actions: sequenceActions, style };

export const runs: ConsolePageContent = { render: runList, style };

export const run: ConsolePageContent = { render: runPage, actions: { cancel: cancelAction }, style };
