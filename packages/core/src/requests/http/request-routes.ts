import type { ObjectDefinition } from '../../catalogue/define-object.ts';
import type { Route } from '../../http/route.ts';
import type { Operation } from '../../operations/operation.ts';
import type { ServeAccount } from '../../partner/account-route.ts';
import type { Reached } from '../../partner/caller.ts';
import type { uploadInput } from '../evidence-upload.ts';
import { kindNames } from '../kinds/names.ts';
import type { RequestsKit } from '../requests-options.ts';
import { batchOperation } from './batch-operation.ts';
import { commandOperation, type PartnerCommandDeps } from './command-operation.ts';
import { placesOf } from './place.ts';
import { readOperations } from './read-operations.ts';
import { objectTransactionsOperations, transactionOperations } from './transaction-operations.ts';
import { webhookTestRoute } from './webhook-test.ts';

/** What the routes call. @internal */
export interface RequestRouteDeps<Tx extends object> extends PartnerCommandDeps<Tx> {
  /** Serves an operation below an account. */
  readonly serve: ServeAccount;
  /** Sends test events. */
  readonly kit: Pick<RequestsKit<Tx, ObjectDefinition>, 'accountRoute' | 'endpoints' | 'events'>;
  /** Answers where to upload evidence. `undefined`: nowhere. */
  readonly evidence: Operation<Reached, undefined, typeof uploadInput> | undefined;
  /** Environments in which partners may give the host's commands. */
  readonly testEnvironments: readonly string[];
}

/** The routes of all kinds: the commands of each place, and its reads. @internal */
export const requestRoutes = <Tx extends object>(deps: RequestRouteDeps<Tx>): readonly Route[] => {
  const { serve, commands, testEnvironments, kit } = deps;
  const isSandbox = testEnvironments.length > 0;
  const routes = kindNames
    .flatMap((name) => placesOf(commands.served[name]))
    .flatMap((place) => [
      ...Object.entries(place.rules)
        .filter(([, { by }]) => by === 'partner' || isSandbox)
        .map(([command, rule]) =>
          serve(
            commandOperation(deps, place, command, rule) as Operation<Reached>,
            rule.by === 'host' ? testEnvironments : undefined,
          ),
        ),
      ...(place.of.kind.batches ?? []).map((command) =>
        serve(batchOperation(deps, place, command) as Operation<Reached>, undefined),
      ),
      ...[
        ...readOperations(place, commands.served.deposits),
        ...objectTransactionsOperations(commands.transactions, place),
      ].map((operation) => serve(operation, undefined)),
    ]);
  const transactions = transactionOperations(commands.transactions).map((operation) => serve(operation, undefined));
  const uploads = deps.evidence ? [serve(deps.evidence as Operation<Reached>, undefined)] : [];
  const sandbox = isSandbox ? [webhookTestRoute(kit, testEnvironments)] : [];
  return [...routes, ...transactions, ...uploads, ...sandbox];
};
