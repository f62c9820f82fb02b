import { expect, inject, test } from 'vitest';
import { problemsOf } from '../support/compile.ts';

/** The client of a host is generated, so what fits it is compiled here. */
const source = `
import { PrismaPg } from '@prisma/adapter-pg';
import { postgresStorage } from '@partnerkit/postgres';
import { fromPrisma } from '@partnerkit/postgres/prisma';
import { type Prisma, PrismaClient } from ${JSON.stringify(inject('prisma'))};

const adapter = new PrismaPg('postgres://');
const plain = new PrismaClient({ adapter });
const logging = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
const extended = plain.$extends({ model: { payment: { count2: async () => 2 } } });

const ofPlain = postgresStorage(fromPrisma(plain));
const ofLogging = postgresStorage(fromPrisma(logging));
const ofExtended = postgresStorage(fromPrisma(extended));

await plain.$transaction((tx) => ofPlain.events.append(tx, []));
await plain.$transaction((tx) => tx.$transaction((inner) => ofPlain.events.append(inner, [])));
await logging.$transaction((tx) => ofLogging.events.append(tx, []));
await extended.$transaction((tx) => ofExtended.events.append(tx, []));
export const within = (tx: Prisma.TransactionClient) => ofPlain.events.append(tx, []);

await ofPlain.transaction((tx) => tx.payment.count());
await ofExtended.transaction((tx) => tx.payment.count2());

// @ts-expect-error a client is in no transaction
await ofPlain.events.append(plain, []);
// @ts-expect-error the same
await ofLogging.events.append(logging, []);
// @ts-expect-error the same
await ofExtended.events.append(extended, []);
// @ts-expect-error nor is its adapter
await ofPlain.events.append(adapter, []);
// @ts-expect-error without models it is another's
await ofPlain.events.append({ $queryRawUnsafe: async () => [], $executeRawUnsafe: async () => 0 }, []);
`;

test('transactions of a generated client and of an extended one compile; a client in their place does not', () => {
  expect(problemsOf([source])).toEqual([]);
});
