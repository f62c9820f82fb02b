// Stands for the output of `prisma generate` for the schema of a host; the tests of @partnerkit/postgres use a real
// one.
declare module '*/generated/prisma/client.ts' {
  interface Transaction {
    $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>;
    $executeRawUnsafe(text: string, ...values: unknown[]): PromiseLike<number>;
    readonly payment: { update(change: { where: object; data: object }): Promise<object> };
  }
  export class PrismaClient implements Transaction {
    constructor(options: { adapter: object });
    $connect(): Promise<void>;
    $transaction<T>(work: (tx: Transaction) => Promise<T>, options?: object): Promise<T>;
    $queryRawUnsafe: Transaction['$queryRawUnsafe'];
    $executeRawUnsafe: Transaction['$executeRawUnsafe'];
    readonly payment: Transaction['payment'];
  }
}
