// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { builderStyle } from './builder/fields.ts';
import { builderActions, builderPage } from './builder/page.ts';
import { deleteSegment, segmentPage } from './segment.ts';
import { findSegments, segmentList } from './segments.ts';

export const segments: ConsolePageContent = { render: segmentList, find: findSegments };

export const builder: ConsolePageContent = { render: builderPage, actions: builderActions, style: builderStyle };

export const segment: ConsolePageContent = { render: segmentPage, actions: { delete: deleteSegment } };
