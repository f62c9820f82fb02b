import { code, table } from '../markdown.ts';
import type { PageSource } from './page.ts';

/** One request of the run. `saves` names the id of the object that it creates. */
interface Step {
  readonly text:
    | 'template'
    | 'create'
    | 'change'
    | 'find'
    | 'pay'
    | 'check-in'
    | 'cash-out'
    | 'claim'
    | 'deny'
    | 'settle'
    | 'complete'
    | 'finish';
  readonly request: string;
  readonly body?: object;
  readonly saves?: string;
  /** The status of the object in the answer. */
  readonly state?: string;
  readonly event?: string;
  readonly isSimulated?: true;
}

const deposit = 'security-deposits/$DEPOSIT_ID';
const cashOut = `${deposit}/cash-outs/$CASH_OUT_ID`;
const reference = 'stay-17';

const steps: readonly Step[] = [
  {
    text: 'template',
    request: 'POST security-deposit-templates',
    body: { name: 'Deposit of {{guest}}', depositAmount: 300, currency: 'EUR' },
    ...{ saves: '$TEMPLATE_ID', state: 'active', event: 'creation' },
  },
  {
    text: 'create',
    request: 'POST security-deposits',
    body: {
      ...{ templateId: '$TEMPLATE_ID', variables: { guest: 'Ann' }, reference },
      recipient: { email: 'guest@example.com' },
    },
    ...{ saves: '$DEPOSIT_ID', state: 'pending', event: 'creation' },
  },
  {
    text: 'change',
    request: `PATCH ${deposit}`,
    body: { description: 'The cabin by the lake' },
    ...{ state: 'pending', event: 'update' },
  },
  { text: 'find', request: `GET security-deposits?reference=${reference}` },
  {
    ...{ text: 'pay', request: `POST ${deposit}/simulate/succeed-deposit`, body: { transaction: {} } },
    ...{ state: 'in_progress', event: 'deposit_success', isSimulated: true },
  },
  { text: 'check-in', request: `POST ${deposit}/check-in`, state: 'in_progress', event: 'check_in' },
  {
    text: 'cash-out',
    request: `POST ${deposit}/cash-outs`,
    body: { amount: 20, description: 'A broken window' },
    ...{ saves: '$CASH_OUT_ID', state: 'requested', event: 'cashout' },
  },
  {
    ...{ text: 'claim', request: `POST ${cashOut}/simulate/claim`, body: { claim: 'It was broken before.' } },
    ...{ state: 'claimed', event: 'cashout_reclamation', isSimulated: true },
  },
  { text: 'deny', request: `POST ${cashOut}/deny`, state: 'denied', event: 'cashout_owner_deny_reclamation' },
  {
    ...{ text: 'settle', request: `POST ${cashOut}/simulate/settle`, body: { amount: 10 } },
    ...{ state: 'settled', event: 'update', isSimulated: true },
  },
  {
    ...{ text: 'complete', request: `POST ${cashOut}/simulate/complete`, body: { transaction: {} } },
    ...{ state: 'done', event: 'cashout_done', isSimulated: true },
  },
  { text: 'finish', request: `POST ${deposit}/finish`, state: 'finished', event: 'finish' },
];

/** A deposit from beginning to end, in a test environment. Without one, there is no run. */
export const walkthrough = ({ platform, texts: { t } }: PageSource): readonly string[] => {
  if (platform.operation('simulateSucceedDepositSecurityDeposit') === undefined) return [];
  const rows = steps.map(({ text, request, body, saves, state, event, isSimulated }, index) => [
    String(index + 1),
    isSimulated ? t('run.simulated', { text: t(`run.${text}`) }) : t(`run.${text}`),
    code(request),
    body === undefined ? '' : code(JSON.stringify(body)),
    state === undefined ? '' : code(state),
    event === undefined ? '' : code(event),
    saves === undefined ? '' : code(saves),
  ]);
  const path = `${platform.settings.basePath}/organisations/$ACCOUNT_ID/`;
  return [
    `## ${t('run.title')}`,
    t('run.text', { path }),
    table(
      ['', t('head.step'), t('head.request'), t('head.body'), t('head.state'), t('head.event'), t('head.id')],
      rows,
    ),
  ];
};
