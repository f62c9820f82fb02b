import { catalogueOperation, type ManagementContext } from './context.ts';
import { deliveryOperations } from './deliveries.ts';
import type { KeyRow } from './operation.ts';
import { type EndpointInputs, webhookOperations } from './webhooks.ts';

/** Everything about webhooks: for the sessions of persons, and for the access tokens of clients. */
export const webhookRows = (
  endpointInput: EndpointInputs,
  context: Pick<ManagementContext, 'objects' | 'profiles'>,
): readonly KeyRow[] => [
  catalogueOperation(context),
  ...webhookOperations(endpointInput, context.objects),
  ...deliveryOperations(),
];
