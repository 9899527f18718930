// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { deleteDesign, designPage } from './design.ts';
import { designList, findDesigns } from './list.ts';
import { designPictureFile } from './picture.ts';

export const designs: ConsolePageContent = { render: designList, find: findDesigns };

export const design: ConsolePageContent = { render: designPage, actions: { delete: deleteDesign } };

export const picture: ConsolePageContent = { render: designPictureFile };
