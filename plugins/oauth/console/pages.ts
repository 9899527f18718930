// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { appList, appStyle, endAction, findApps } from './list.ts';

export const connectedApps: ConsolePageContent = {
  render: appList,
  find: findApps,
  actions: { end: endAction },
  style: appStyle,
};
