// The names that a snippet of the documentation may use without a declaration: values of the host, and results of other
// snippets. A snippet that declares one of these names uses its own.
import type { PartnerClient } from '@partnerkit/client';
import type { Account, AccountDirectory, ObjectDefinition, Partnerkit, PartnerkitOptions } from '@partnerkit/core';
import type { Storage } from '@partnerkit/core/adapter';
import type { MemoryTransaction } from '@partnerkit/core/memory';
import type { Requests } from '@partnerkit/core/requests';
import type { SigningKey } from '@partnerkit/node';
import type { Inbox, Receiver } from '@partnerkit/receiver';
import type { FastifyInstance } from 'fastify';
import type { Knex } from 'knex';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import type { z } from 'zod';

type Payment = ObjectDefinition<
  'RequestPayment',
  z.ZodType<{ readonly id: string; readonly status?: string | undefined }, { id: string; status?: string | undefined }>
>;

type Deposit = ObjectDefinition<'RequestSecurityDeposit'>;
type Templates = ObjectDefinition<'ModelRequestPayment'> | ObjectDefinition<'ModelRequestSecurityDeposit'>;
type Booking = ObjectDefinition<'Booking', z.ZodType<{ readonly id: string }>, 'confirmed' | 'cancelled'>;

declare global {
  /** Of the host. */
  const organisations: { byId(id: string): Promise<Account | undefined> };
  const payments: {
    markPaid(tx: object, id: string): Promise<{ id: string; status: string; payer: { email: string; iban: string } }>;
    of(accountId: string): Promise<readonly object[]>;
    save(tx: object, payment: { readonly id: string }): Promise<void>;
  };
  const bookings: { confirm(tx: object, id: string): Promise<{ id: string; status: string; iban: string }> };
  const orders: { markPaid(id: string): Promise<void> };
  const bookSlowly: (id: string) => Promise<void>;
  const db: { transaction<T>(work: (tx: pg.ClientBase) => Promise<T>): Promise<T> };
  const pool: pg.Pool;
  const knex: Knex;
  const prisma: import('./generated/prisma/client.ts').PrismaClient;
  const dataSource: DataSource;
  const app: FastifyInstance;
  const log: Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message?: string) => void>;
  const show: (...told: readonly unknown[]) => void;
  const findUser: (cookie: unknown) => Promise<{ id: string; organisationId: string } | undefined>;
  const showOnce: (clientId: string, secret: string) => void;
  const page: (told: string) => void;
  const tell: (told: string) => void;
  /** Keys from outside the database. */
  const key: Uint8Array;
  const keys: readonly [SigningKey, ...SigningKey[]];
  const issuer: string;
  const audience: string;
  const webhookSecret: string;
  const webhookBody: string;
  /** Created in another snippet. */
  const createPartnerkit: typeof import('@partnerkit/core').createPartnerkit;
  const options: PartnerkitOptions<MemoryTransaction, readonly [Payment]>;
  const accounts: AccountDirectory;
  const storage: Storage<MemoryTransaction>;
  const payment: Payment;
  const deposit: Deposit;
  const booking: Booking;
  const kit: Partnerkit<object, Booking | Payment | Deposit | Templates>;
  const receiver: Receiver;
  const inbox: Inbox;
  const create: () => Promise<never>;
  const text: string;
  const id: string;
  const data: { readonly id: string; readonly status: string };
  const event: {
    readonly accountId: string;
    readonly objectName: 'RequestPayment';
    readonly type: 'payed';
    readonly data: { readonly id: string };
  };
  const accountId: string;
  const clientId: string;
  const clientSecret: string;
  const organisationId: string;
  const client: PartnerClient;
  const endpointId: string;
  const eventId: string;
  const deliveryId: string;
  const requests: Requests<object>;
  const account: Account;
  const paymentId: string;
  const depositId: string;
  const cashOutId: string;
  /** Your open transaction. */
  const tx: object;
  const minute: number;
  const hour: number;
}
