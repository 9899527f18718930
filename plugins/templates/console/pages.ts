// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { composeActions, rollbackAction, templateActions } from './actions.ts';
import { findTemplates, templateList } from './list.ts';
import { templatePreview } from './preview.ts';
import { templatePage } from './template.ts';
import { versionsPage } from './versions.ts';

export const templates: ConsolePageContent = { render: templateList, find: findTemplates, actions: composeActions };

export const template: ConsolePageContent = { render: templatePage, actions: templateActions };

export const versions: ConsolePageContent = { render: versionsPage, actions: { rollback: rollbackAction } };

export const preview: ConsolePageContent = { render: templatePreview };
