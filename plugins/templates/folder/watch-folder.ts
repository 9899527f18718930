// Reports changes below a folder, shortly after the last change. Called by push --watch and by preview.
import { watch } from 'node:fs';

/**
 * Milliseconds without a further change before a change is reported, because editors write files in several steps.
 */
const quietMs = 80;

/** Calls `changed` at each change until the signal ends, and then resolves. Rejects if the folder cannot be watched. */
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
