import type { Retention } from './deliveries/pruner.ts';
import { second } from './runtime/time.ts';
import type { ApiLimits } from './tokens/api-limits.ts';
import type { LoginLimits } from './tokens/grant.ts';
import type { LimitRule } from './tokens/rate-limiter.ts';

/** What options must be: each answers what it was given, or throws a `TypeError` that names the option. @internal */
export const checked = {
  basePath: (path: string): string => {
    if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(path)) {
      throw new TypeError('basePath: begin with "/", end without one, and use letters, digits, ".", "_", "~" and "-".');
    }
    return path;
  },
  secretPrefix: (prefix: string): string => {
    if (!/^[A-Za-z0-9]{1,16}$/.test(prefix)) throw new TypeError('secretPrefix: 1 to 16 letters and digits.');
    return prefix;
  },
  userAgent: (text: string): string => {
    if (!/^[\x20-\x7e]{1,256}$/.test(text)) throw new TypeError('userAgent: 1 to 256 visible ASCII characters.');
    return text;
  },
  ports: (ports: readonly number[] | undefined): readonly number[] | undefined => {
    if (ports?.length === 0) throw new TypeError('endpointPorts: at least one port, or leave it out for any.');
    for (const port of ports ?? []) checked.wholeNumber('endpointPorts', port, 1);
    return ports;
  },
  wholeNumber: (name: string, value: number, least: number): number => {
    if (!Number.isSafeInteger(value) || value < least) throw new TypeError(`${name}: a whole number from ${least}.`);
    return value;
  },
  retention: (retention: Retention): Retention => {
    for (const [name, time] of Object.entries(retention)) checked.wholeNumber(`retention.${name}`, time, second);
    return retention;
  },
  limit: (name: string, rule: LimitRule): LimitRule => {
    checked.wholeNumber(`${name}.points`, rule.points, 1);
    checked.wholeNumber(`${name}.window`, rule.window, 1);
    return rule;
  },
  loginLimits: (limits: LoginLimits): LoginLimits => {
    for (const [name, rule] of Object.entries(limits)) checked.limit(`loginLimits.${name}`, rule);
    return limits;
  },
  apiLimits: (limits: ApiLimits): ApiLimits => {
    for (const [name, rule] of Object.entries(limits)) if (rule) checked.limit(`apiLimits.${name}`, rule);
    return limits;
  },
};
