import { type Cases, type ContractOptions, runCases } from '../support/contract.ts';
import { dueCases } from './due.ts';
import { eventCases } from './events.ts';
import type { RequestsFixture } from './fixture.ts';
import { historyCases } from './history.ts';
import { idempotencyCases } from './idempotency.ts';
import { listCases } from './lists.ts';
import { examples, type Kind } from './records.ts';
import { referenceCases } from './references.ts';
import { transactionCases } from './transactions.ts';
import { writeCases } from './writes.ts';

const casesOf = (kind: Kind): Cases<RequestsFixture> =>
  Object.fromEntries(
    Object.entries({ ...writeCases(kind), ...historyCases(kind), ...eventCases(kind), ...listCases(kind) }).map(
      ([name, each]) => [`${kind}: ${name}`, each],
    ),
  );

const kinds = Object.keys(examples) as readonly Kind[];

/**
 * Tests the obligations of the stores of payment requests, security deposits, cash-outs, templates, references,
 * transactions, responses and due commands.
 */
export const requestStoresContract = (options: ContractOptions<RequestsFixture>): void =>
  runCases(
    Object.assign(
      {},
      ...kinds.map(casesOf),
      referenceCases,
      transactionCases,
      idempotencyCases,
      dueCases,
    ) as Cases<RequestsFixture>,
    options,
  );
