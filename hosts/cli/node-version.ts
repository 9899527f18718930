// The oldest Node that Postrider runs on, as package.json says. Loads nothing: main.ts asks before all else is loaded.

const minimum = [20, 19] as const;

/** `20.19` */
export const minNode = minimum.join('.');

/** Whether a version is new enough. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1]);
}
