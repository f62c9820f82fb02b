import { kit, pool } from './kit.ts';

/** Marks a payment as paid, and publishes the event in the same transaction. Resolves to false for an unknown one. */
export const markPaid = async (id: string): Promise<boolean> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(
      `update payments set status = 'paid' where id = $1 returning account_id, status, iban`,
      [id],
    );
    const [paid] = rows as { account_id: string; status: string; iban: string | null }[];
    if (paid) {
      const { account_id: accountId, ...data } = paid;
      const event = { accountId, objectName: 'RequestPayment', type: 'payed', data: { id, ...data } } as const;
      // Commit delivers the event; a rollback leaves nothing of it.
      await kit.events.publish(event, { tx: client });
    }
    await client.query('commit');
    return paid !== undefined;
  } catch (cause) {
    await client.query('rollback');
    throw cause;
  } finally {
    client.release();
  }
};
