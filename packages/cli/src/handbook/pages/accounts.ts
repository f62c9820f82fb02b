import { successOf } from '../document.ts';
import { answerBlock, bearer, requestBlock } from '../http.ts';
import { paragraphs } from '../markdown.ts';
import { places, type WritePage } from './page.ts';

/** The accounts that a key reaches. */
export const accountsPage: WritePage = ({ platform, texts }) => {
  const { t } = texts;
  const account = platform.operation('getAccount');
  const answer = account && successOf(account, platform.reader);
  if (!account || !answer) return undefined;
  const below = account.path.replace(/\/me$/, '');
  return paragraphs([
    t('accounts.intro', { path: below, name: platform.name }),
    `## ${t('accounts.read')}`,
    requestBlock({
      method: account.method,
      path: account.path.replace('{organisationId}', '$ACCOUNT_ID'),
      host: new URL(platform.origin).host,
      headers: bearer,
    }),
    t('answered'),
    answerBlock(answer.status, answer.example),
    t('accounts.environment', { ...places, name: platform.name }),
  ]);
};
