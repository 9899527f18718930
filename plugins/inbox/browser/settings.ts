// The settings that this browser stores. A browser without storage is not an error.

const prefix = 'postrider-inbox-';

export function loadSetting(name: string): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function storeSetting(name: string, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch (error) {
    // The browser forbids storage, or it is full: the choice holds until the page is closed.
    if (!(error instanceof DOMException)) throw error;
  }
}
