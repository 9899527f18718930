// The oldest Node version that Postrider supports, as in package.json. Imports nothing, because main.ts calls it before anything
// else is loaded.

const minimum = [20, 19] as const;

/** Such as `20.19`. */
export const minNode = minimum.join('.');

/** Whether a version is new enough. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1]);
}
