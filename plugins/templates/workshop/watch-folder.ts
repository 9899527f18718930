// Reports changes below a folder, shortly after the last of them. Called by push --watch and by preview.
import { watch } from 'node:fs';

/** Editors write in several steps: a change is reported after this long without a further one, in milliseconds. */
const quietMs = 80;

/** Calls `changed` until the signal ends. Resolves then; rejects when the folder cannot be watched. */
export function watchFolder(folder: string, signal: AbortSignal, changed: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const watcher = watch(folder, { recursive: true, signal }, () => {
      clearTimeout(timer);
      timer = setTimeout(changed, quietMs);
    });
    watcher.once('error', reject);
    watcher.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    if (signal.aborted) watcher.close();
  });
}
