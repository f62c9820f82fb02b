import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('accounts')
export class Account {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;
}

@Entity('payments')
export class Payment {
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  status!: string;

  /** It is stored here, and never sent: no group names it. */
  @Column('text', { nullable: true })
  iban!: string | null;
}
