import { type Account, createPartnerkit, type OpenApiDocument } from '@partnerkit/core';
import type { RequestStore } from '@partnerkit/core/adapter';
import {
  type MemoryTransaction,
  memoryAccessTokens,
  memoryAccounts,
  memorySender,
  memoryStorage,
} from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects, type StoredRequest } from '@partnerkit/core/requests';
import { type InProcessRequest, inProcess } from '../../../../testing/src/scripted/in-process.ts';
import type { createRefusalLog } from '../support/refusal-log.ts';

const of = { name: 'Org', environment: 'test' };
const own: Account = { id: 'org', status: 'active', ...of };
const accounts: readonly Account[] = [
  own,
  { id: 'org_suspended', status: 'suspended', ...of },
  // `mayUseApi` throws.
  { id: 'org_broken', status: 'broken', ...of },
];
const alone = { tx: 'new' } as const;
const inputs: Readonly<Record<string, object>> = {
  accept: { amount: 20 },
  complete: { amount: 5 },
  updateChargeback: { chargeback: { processorReference: 'dp_1', stage: 'inquiry' } },
};

/** A platform whose stores lose every race after `lose`, in process. */
export const createRefusalWorld = async (log: ReturnType<typeof createRefusalLog>) => {
  const stored = memoryStorage();
  const tokens = memoryAccessTokens();
  const directory = memoryAccounts(accounts);
  let loses = false;
  const losing = <R extends StoredRequest>(store: RequestStore<MemoryTransaction, R>) => ({
    ...store,
    replace: async (...call: Parameters<typeof store.replace>) => !loses && store.replace(...call),
    remove: async (...call: Parameters<typeof store.remove>) => !loses && store.remove(...call),
  });
  const { payments: p, deposits: d, cashOuts: c, paymentTemplates: pt, depositTemplates: dt } = stored.requests;
  const losingStores = {
    ...{ payments: losing(p), deposits: losing(d), cashOuts: losing(c) },
    ...{ paymentTemplates: losing(pt), depositTemplates: losing(dt) },
  };
  const kit = createPartnerkit({
    accounts: {
      find: async (id) => {
        if (id === 'org_unreachable') throw new Error('no answer');
        return directory.find(id);
      },
    },
    api: {
      mayUseApi: ({ status }) => {
        if (status === 'broken') throw new Error('a rule of the platform');
        return status === 'active';
      },
    },
    storage: { ...stored, requests: { ...stored.requests, ...losingStores } },
    tokens,
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: extendRequestObjects({}),
  });
  const requests = createRequests({
    kit,
    testEnvironments: ['test'],
    uniqueReferences: true,
    evidenceUpload: async () => ({ id: 'f1', url: 'https://files.example/f1', expiresAt: 2_000_000_000_000 }),
  });
  const routes = [...kit.routes, ...requests.routes];
  const document: OpenApiDocument = kit.openApi({ title: 'Requests', routes: requests.routes });
  const ask = inProcess(routes);

  const now = Math.floor(Date.now() / 1_000);
  const issue = async (accountId: string, scope = 'USER') => {
    const { client, secretId } = (await kit.clients.create(accountId, { name: 'Key' }))._unsafeUnwrap();
    const times = { issuedAt: now - 1, expiresAt: now + 3_600 };
    const jti = `${client.id} ${scope}`;
    return tokens.issue({ clientId: client.id, accountId, environment: 'test', secretId, scope, jti, ...times });
  };
  const token = {
    main: await issue('org'),
    suspended: await issue('org_suspended'),
    broken: await issue('org_broken'),
    otherScope: await issue('org', 'ADMIN'),
  };

  const { payments, deposits, cashOuts, paymentTemplates, depositTemplates } = requests;
  const sum = { name: 'Stay', currency: 'EUR', recipient: { email: 'guest@example.com' } };
  const idOf = (made: { _unsafeUnwrap(): { readonly id: string } }): string => made._unsafeUnwrap().id;
  const payment = async (...commands: readonly string[]) => {
    const id = idOf(await payments.create(own.id, { ...sum, amount: 20 }, alone));
    for (const command of commands)
      (
        await payments.perform(own.id, id, command as 'cancel', { ...alone, input: inputs[command] ?? {} })
      )._unsafeUnwrap();
    return `payment-requests/${id}`;
  };
  const deposit = async (...commands: readonly string[]) => {
    const id = idOf(await deposits.create(own.id, { ...sum, depositAmount: 300 }, alone));
    for (const command of commands)
      (
        await deposits.perform(own.id, id, command as 'cancel', { ...alone, input: inputs[command] ?? {} })
      )._unsafeUnwrap();
    return `security-deposits/${id}`;
  };
  /** A cash-out of 20, after these commands. `deny` also opens the dispute of the deposit. */
  const cashOut = async (...commands: readonly string[]) => {
    const at = await deposit('succeedDeposit');
    const depositId = at.split('/')[1] ?? '';
    const id = idOf(await cashOuts.create(own.id, { depositId, amount: 20 }, alone));
    for (const command of commands) {
      const input = inputs[command] ?? {};
      (await cashOuts.perform(own.id, id, command as 'cancel', { ...alone, input }))._unsafeUnwrap();
    }
    return `${at}/cash-outs/${id}`;
  };
  /** The deposit of a cash-out after these commands. */
  const depositOf = async (...commands: readonly string[]) =>
    (await cashOut(...commands)).split('/').slice(0, 2).join('/');
  const paymentTemplate = async () =>
    `payment-templates/${idOf(await paymentTemplates.create(own.id, { name: 'T' }, alone))}`;
  const depositTemplate = async () =>
    `security-deposit-templates/${idOf(await depositTemplates.create(own.id, { name: 'T' }, alone))}`;

  /** Sends a request, and returns the status and the code of the answer. */
  const answer = async (
    method: string,
    path: string,
    { account = 'org', ...request }: InProcessRequest & { readonly account?: string } = {},
  ): Promise<readonly unknown[]> => {
    const target = `/api/v1/partner/organisations/${account}/${path}`;
    const response = await ask(method, target, { token: token.main, ...request });
    log.onAnswer({ ...response, document, method, target });
    return [response.status, response.body === '' ? undefined : JSON.parse(response.body).code];
  };

  return {
    document,
    token,
    answer,
    made: { payment, deposit, depositOf, cashOut, paymentTemplate, depositTemplate },
    /** Runs an act while the stores lose every race. */
    whileLosing: async <T>(act: () => Promise<T>): Promise<T> => {
      loses = true;
      try {
        return await act();
      } finally {
        loses = false;
      }
    },
  };
};
