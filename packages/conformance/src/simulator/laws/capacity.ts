import { groupBy } from '../../node-20.ts';
import { endpointAt } from '../network.ts';
import { firstWrong, type Law } from './facts.ts';
import { lease } from './numbers.ts';

export const endpointCap: Law = {
  name: 'no endpoint has more attempts in flight than it may, over all workers',
  check: ({ trace, store }) =>
    firstWrong(
      groupBy(trace.posts, ({ url }) => endpointAt(url)),
      ([endpoint, posts]) => {
        let open: { readonly until: number }[] = [];
        return firstWrong(posts, (post) => {
          open = open.filter(({ until }) => until > post.at);
          open.push(post);
          return (
            open.length > trace.history.perEndpoint &&
            store.ahead(post.at - 2 * lease, post.at) === 0 &&
            `receiver ${endpoint} has ${open.length} attempts at once; ${trace.history.perEndpoint} are allowed`
          );
        });
      },
    ),
};

export const workerCap: Law = {
  name: 'no worker has more attempts in flight than it may, of one account and in all',
  check: ({ trace, ledger }) => {
    const { concurrency } = trace.history;
    const perAccount = Math.max(1, Math.floor(concurrency / 4));
    return firstWrong(
      groupBy(trace.posts, ({ process }) => process),
      ([process, posts]) => {
        let open: typeof posts = [];
        return firstWrong(posts, (post) => {
          open = open.filter(({ until }) => until > post.at);
          open.push(post);
          const accountId = ledger.deliveryOf(post)?.accountId;
          const same = open.filter((each) => ledger.deliveryOf(each)?.accountId === accountId).length;
          return (
            (open.length > concurrency || same > perAccount) &&
            `${process} has ${open.length} attempts at once, ${same} of account ${accountId}; ${concurrency} and ${perAccount} are allowed`
          );
        });
      },
    );
  },
};
