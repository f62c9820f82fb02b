import { UsageError } from './cli-error.ts';
import type { Command } from './command.ts';
import { type Environment, readDeliveryHeader, readEndpoints, readPublicKeys, readSecrets } from './secrets.ts';

/** The delivery header of a command. @throws UsageError */
export const deliveryHeaderOf = ({ values }: Command) => {
  const line = values['delivery-header'];
  return line === undefined ? undefined : readDeliveryHeader(line);
};

/** The only endpoint, if one is given. @throws UsageError */
export const onlyOne = (endpoints: readonly string[]): string | undefined => {
  if (endpoints.length > 1) throw new UsageError('--endpoint is given twice; one is meant.');
  return endpoints[0];
};

/** What a receiver checks. @throws UsageError */
export const receiverOf = ({ values }: Command, environment: Environment) => ({
  secrets: readSecrets(values.secret, environment),
  publicKeys: readPublicKeys(values['public-key']),
  endpoints: readEndpoints(values.endpoint),
});
