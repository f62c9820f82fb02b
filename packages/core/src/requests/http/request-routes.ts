import type { AccountCaller, SharedOperation } from '../../api/management/shared-operations.ts';
import type { KeyOperation } from '../../api/operations/operation.ts';
import type { ServeAccount } from '../../api/partner/account-route.ts';
import { isOwnAccount } from '../../api/partner/caller.ts';
import type { ListChildren } from '../../base/accounts/list-children.ts';
import type { NeededRight } from '../../base/accounts/rights.ts';
import type { Route } from '../../base/http/route.ts';
import type { uploadInput } from '../options/evidence-upload.ts';
import type { RequestsKit } from '../options/requests-options.ts';
import { kindNames } from '../record/names.ts';
import { batchOperation } from './batch-operation.ts';
import { commandOperation, type PartnerCommandDeps } from './command-operation.ts';
import { commandsOperation } from './commands-operation.ts';
import { placesOf } from './place.ts';
import { readOperations } from './read-operations.ts';
import { objectTransactionsOperations, transactionOperations } from './transaction-operations.ts';
import { webhookTestRoute } from './webhook-test.ts';

/** What the operations call. */
interface RequestOperationDeps<Tx extends object> extends PartnerCommandDeps<Tx> {
  /** Answers where to upload evidence. `undefined`: nowhere. */
  readonly evidence: KeyOperation<AccountCaller, undefined, typeof uploadInput> | undefined;
  /** Lists the children of an account. `undefined`: the directory lists none. */
  readonly listChildren: ListChildren | undefined;
  /** Environments in which partners may give the host's commands. */
  readonly testEnvironments: readonly string[];
}

/** What the routes call. */
export interface RequestRouteDeps<Tx extends object> extends RequestOperationDeps<Tx> {
  /** Serves an operation below an account. */
  readonly serve: ServeAccount;
  /** Sends test events. */
  readonly kit: Pick<RequestsKit<Tx>, 'accountRoute' | 'endpoints' | 'events'>;
}

/** An operation of clients, and perhaps of persons. */
interface ClientOperation extends SharedOperation {
  readonly row: KeyOperation<AccountCaller>;
}

/** The operations of all kinds: the commands of each place, and its reads. */
const operationsOf = <Tx extends object>(deps: RequestOperationDeps<Tx>): readonly ClientOperation[] => {
  const { commands, testEnvironments, evidence, listChildren } = deps;
  const everywhere = (row: { readonly right: NeededRight }): ClientOperation => ({
    row: row as KeyOperation<AccountCaller>,
    environments: undefined,
  });
  const ofPlaces = placesOfAll(commands).flatMap((place) => [
    ...Object.entries(place.rules)
      .filter(([, { by }]) => by === 'partner' || testEnvironments.length > 0)
      .map(([command, rule]) => ({
        ...everywhere(commandOperation(deps, place, command, rule)),
        environments: rule.by === 'host' ? testEnvironments : undefined,
      })),
    ...(place.of.kind.batches ?? []).map((command) => everywhere(batchOperation(deps, place, command))),
    ...readOperations(place, { deposits: commands.served.deposits, listChildren }).map(everywhere),
    ...objectTransactionsOperations(commands.transactions, place).map(everywhere),
  ]);
  return [
    ...ofPlaces,
    ...transactionOperations(commands.transactions, listChildren).map(everywhere),
    ...(evidence ? [everywhere(evidence)] : []),
  ];
};

const placesOfAll = <Tx extends object>({ served }: PartnerCommandDeps<Tx>['commands']) =>
  kindNames.flatMap((name) => placesOf(served[name]));

/** The row for clients. */
const forClients = ({ row, environments }: ClientOperation, serve: ServeAccount): Route =>
  serve(
    {
      ...row,
      handle: ({ caller, ...call }) => {
        const { account, client } = caller;
        const actor = { type: 'client', id: client.id } as const;
        return row.handle({
          ...call,
          caller: { account, isOwn: isOwnAccount(caller), children: client.children, actor },
        });
      },
    },
    environments,
  );

/** The routes of partners, and the operations that a session of the host may use, too. */
export const requestRoutes = <Tx extends object>({
  serve,
  kit,
  ...deps
}: RequestRouteDeps<Tx>): { readonly routes: readonly Route[]; readonly shared: readonly SharedOperation[] } => {
  const { commands, testEnvironments } = deps;
  const operations = operationsOf(deps);
  const sandbox = testEnvironments.length > 0 ? [webhookTestRoute(kit, testEnvironments)] : [];
  const places = placesOfAll(commands);
  const possible = places.map((place) => ({
    row: commandsOperation(
      place,
      places.filter(({ path }) => path.startsWith(`${place.path}/`)),
      testEnvironments,
    ),
    environments: undefined,
  }));
  return {
    routes: [...operations.map((each) => forClients(each, serve)), ...sandbox],
    shared: [...operations, ...possible],
  };
};
