// What this browser remembers of its reader. A browser that keeps nothing is no fault.

const prefix = 'postrider-inbox-';

export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch (error) {
    // Forbidden by the browser's settings, or full: the choice holds until the page is closed.
    if (!(error instanceof DOMException)) throw error;
  }
}
