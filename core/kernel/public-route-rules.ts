// The rules for public routes. Called by registry.ts.

import type { PublicRoute } from '../contract/declaration/public-route.ts';
import { hostName } from '../contract/values/host-name.ts';

/**
 * The names by which a route may collide with another route; `route` is its method and path. Routes of different hosts do not
 * collide. Routes whose hosts are decided by a function are tried one after another.
 */
export function collidingNames({ hosts }: PublicRoute, route: string): string[] {
  if (hosts === undefined) return [route];
  return typeof hosts === 'function' ? [] : hosts.map((host) => `${route} on ${hostName(host) ?? host}`);
}

/** Every reason why the route cannot be composed; `label` names it and its plugin. */
export function publicRouteFaults({ path, hosts, limit, maxBodyBytes }: PublicRoute, label: string): string[] {
  const faults: string[] = [];
  if (path.startsWith('/v1/')) faults.push(`${label} is below /v1.`);
  if (typeof hosts === 'object') {
    if (hosts.length === 0) faults.push(`${label} serves no host: leave hosts out to serve every one.`);
    for (const host of hosts)
      if (hostName(host) === undefined)
        faults.push(`${label} names the host ${JSON.stringify(host)}, which is not a valid host name.`);
  }
  if (limit !== undefined) {
    const { name = path, perMinute, burst } = limit;
    if (name === '' || name.length > 100)
      faults.push(`${label} has a limit with an invalid name: give it 1 to 100 characters.`);
    if (!(Number.isFinite(perMinute) && perMinute >= 1))
      faults.push(`${label} has a limit of ${perMinute} a minute: give a number from 1.`);
    if (!(Number.isSafeInteger(burst) && burst >= 1))
      faults.push(`${label} has a limit with a burst of ${burst}: give a whole number from 1.`);
  }
  if (maxBodyBytes !== undefined && !(Number.isSafeInteger(maxBodyBytes) && maxBodyBytes >= 0))
    faults.push(`${label} has a maxBodyBytes of ${maxBodyBytes}: give a whole number.`);
  return faults;
}
