// The oldest Node that Postrider runs on, as package.json says. Loads nothing: main.ts asks before all else is loaded.

const least = [20, 19] as const;

/** `20.19` */
export const leastNode = least.join('.');

/** Whether a version is new enough. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > least[0] || (major === least[0] && minor >= least[1]);
}
