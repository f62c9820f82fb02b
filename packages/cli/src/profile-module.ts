import type { WireProfile } from '@partnerkit/core/wire';
import { CliError, UsageError } from './cli-error.ts';
import { loadModule } from './load-module.ts';

/** Which wire profile is meant. */
export interface ProfileChoice {
  /** A module whose default export is the option `webhooks` of the kit. Absent: the specification's profile. */
  readonly profile: string | undefined;
  /** The name of one of its profiles. Absent: that of endpoints without one, or the only one. */
  readonly name: string | undefined;
}

/** The option `webhooks` of a kit. */
type Webhooks = WireProfile & { readonly profiles?: Readonly<Record<string, WireProfile>> };

/**
 * The wire profile that a module exports by default; `{}`, that of the specification, without a module.
 * @throws CliError when it exports none, or has none of this name.
 */
export const readProfile = async ({ profile: path, name }: ProfileChoice): Promise<WireProfile> => {
  if (path === undefined) {
    if (name === undefined) return {};
    throw new UsageError('--name needs --profile, the module with the profiles.');
  }
  const exported = (await loadModule(path))['default'];
  if (typeof exported !== 'object' || exported === null)
    throw new CliError(
      `${path} exports no profile. Export it by default: export default { envelope, signatures, headers, profiles };`,
    );
  const { envelope, signatures, headers, profiles = {} } = exported as Webhooks;
  const names = Object.keys(profiles);
  const own = { ...(envelope && { envelope }), ...(signatures && { signatures }), ...(headers && { headers }) };
  const chosen = name ?? (Object.keys(own).length === 0 && names.length === 1 ? names[0] : undefined);
  if (chosen !== undefined && Object.hasOwn(profiles, chosen)) return profiles[chosen] as WireProfile;
  if (chosen !== undefined)
    throw new CliError(`${path} has no profile "${chosen}". Its profiles are: ${names.join(', ') || 'none'}.`);
  if (Object.keys(own).length === 0 && names.length > 1)
    throw new CliError(`${path} has several profiles. Name one with --name: ${names.join(', ')}.`);
  return own;
};
