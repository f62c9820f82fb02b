import type { Kind } from '../books/ledger.ts';
import { createDraw, type Draw } from './draw.ts';

/** Minor units in a unit of each currency. */
export const minorUnits = { JPY: 1, EUR: 100, KWD: 1_000 } as const;
export type Currency = keyof typeof minorUnits;
const currencies = Object.keys(minorUnits) as readonly Currency[];

/** What a payer owes or deposits. */
export interface Asked {
  readonly of: 'payment' | 'deposit';
  readonly account: number;
  readonly minor: number;
  readonly currency: Currency;
  /** Whether the platform cancels the request before it hears of any money. */
  readonly isCancelled: boolean;
}

/** A movement of money in the processor's own books. */
export interface Movement {
  readonly id: string;
  /** The number of the request. */
  readonly request: number;
  readonly kind: Kind;
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly minor: number;
  readonly currency: Currency;
  readonly fee: number;
  readonly reference: string;
  /** In seconds. */
  readonly settledAt: number;
}

/** What the processor said of a chargeback at one moment. */
export interface Stage {
  readonly reference: string;
  readonly reportedAt: number;
  readonly stage?: string;
  readonly reason?: { readonly code: string };
  readonly respondBy?: number | null;
}

/** One message of the processor: it may come twice, late, or with others at once. */
export interface Report {
  readonly request: number;
  readonly movement?: Movement;
  /** Authorisations: until when it can be captured, as it was when the processor wrote the message. */
  readonly capturableUntil?: number;
  readonly stage?: Stage;
}

/** The processor's books, and its messages in the order of their arrival. Those of one round arrive at one moment. */
export interface Processor {
  readonly requests: readonly Asked[];
  readonly movements: ReadonlyMap<string, Movement>;
  readonly stages: readonly (Stage & { readonly request: number })[];
  /** The last end of each authorisation that has one, by the id of its movement. */
  readonly ends: ReadonlyMap<string, number>;
  readonly rounds: readonly { readonly at: number; readonly reports: readonly Report[] }[];
}

const [minute, day] = [60, 86_400];
const longWords = ['inquiry', 'chargeback', 'pre_arbitration', 'arbitration'] as const;

/** What one payer does, as the processor sees it. */
const createStory = (draw: Draw, request: number, { of, minor: asked, currency }: Asked, begin: number) => {
  let now = begin;
  let count = 0;
  const reports: { readonly at: number; readonly report: Report }[] = [];
  const ends = new Map<string, number>();
  const pass = (least: number, most: number): void => {
    now += draw.between(least, most);
  };
  const tell = (report: Omit<Report, 'request'>): void => {
    reports.push({ at: now, report: { request, ...report } });
  };
  const intent = `pi_${request}`;
  const move = (kind: Kind, minor: number, more: Partial<Movement> = {}): Movement => {
    pass(1, minute);
    const id = `mv_${request}_${++count}`;
    const fee = draw.chance(0.3) ? draw.between(1, 40) : 0;
    const own = {
      id,
      request,
      kind,
      status: 'succeeded',
      minor,
      currency,
      fee,
      reference: intent,
      settledAt: now,
    } as const;
    const movement: Movement = { ...own, ...more };
    if (kind !== 'authorisation') tell({ movement });
    return movement;
  };
  /** A part of an amount, at least 1. */
  const partOf = (minor: number): number => draw.between(1, Math.max(1, minor - 1));

  const authorise = (minor: number): void => {
    const movement = move('authorisation', minor);
    if (draw.chance(0.4)) {
      tell({ movement });
      return;
    }
    // It is made longer, now and then: nothing more is reserved.
    for (let nth = draw.between(0, 2), end = now + 7 * day; nth >= 0; nth--, end += 7 * day) {
      tell({ movement, capturableUntil: end });
      ends.set(movement.id, end);
      pass(minute, day);
    }
  };
  const decline = (kind: Kind): void => {
    for (let nth = draw.between(0, 2); nth > 0; nth--)
      move(kind, asked, { status: draw.chance(0.8) ? 'failed' : 'cancelled' });
  };
  /** Several captures under one reference, and the release of the rest. */
  const capture = (secured: number): number => {
    const parts = draw.between(1, 4);
    let left = secured;
    for (let nth = 0; nth < parts && left > 1; nth++) {
      const minor = nth > 0 && draw.chance(0.3) ? Math.min(left, partOf(asked)) : partOf(left);
      move('capture', minor);
      left -= minor;
    }
    if (left > 0 && draw.chance(0.7)) move('release', left);
    return secured - left;
  };
  const refund = (taken: number): void => {
    const minor = draw.chance(0.3) ? taken : partOf(taken);
    move('refund', minor, { reference: `re_${request}_${count}` });
  };
  const charge = (taken: number): void => {
    const reference = `dp_${request}_${count}`;
    let respondBy: number | null = now + 10 * day;
    const say = (stage: string): void => {
      pass(minute, 3 * day);
      const reason = draw.chance(0.5) ? { reason: { code: draw.one(['fraudulent', 'not_received']) } } : {};
      const until = draw.chance(0.6) ? { respondBy } : {};
      tell({ stage: { reference, reportedAt: now, stage, ...reason, ...until } });
    };
    if (draw.chance(0.5)) say('inquiry');
    const minor = draw.chance(0.5) ? taken : partOf(taken);
    move('chargeback', minor, { reference });
    for (const stage of longWords.slice(1, draw.between(2, 4))) {
      respondBy = now + draw.between(5, 20) * day;
      say(stage);
    }
    const isWon = draw.chance(0.5);
    respondBy = null;
    say(isWon ? 'won' : 'lost');
    if (isWon) move('chargeback_reversal', minor, { reference });
  };
  const afterwards = (taken: number): void => {
    pass(day, 20 * day);
    if (taken > 1 && draw.chance(0.3)) refund(taken);
    if (taken > 1 && draw.chance(0.2)) charge(taken);
  };

  /** What a payer of a payment request has paid in the end. */
  const payment = (): number => {
    decline('charge');
    const way = draw.one(['whole', 'parts', 'twice', 'over', 'under', 'captures', 'returned', 'foreign'] as const);
    switch (way) {
      case 'captures':
        authorise(draw.chance(0.8) ? asked : partOf(asked));
        return capture(asked);
      case 'parts': {
        const part = partOf(asked);
        move('charge', part);
        if (asked > part) move('charge', asked - part);
        return asked;
      }
      case 'twice':
        // Two equal debits: one too many.
        move('charge', asked);
        move('charge', asked);
        return 2 * asked;
      case 'returned':
        move('charge', asked);
        pass(minute, 5 * day);
        move('return', asked);
        if (draw.chance(0.4)) return 0;
        move('charge', asked);
        return asked;
      case 'foreign': {
        const other = draw.one(currencies.filter((each) => each !== currency));
        move('charge', asked);
        move('refund', partOf(asked), { reference: `re_${request}_${count}`, currency: other });
        return asked;
      }
      default: {
        const minor = { whole: asked, over: asked + partOf(asked), under: partOf(asked) }[way];
        move('charge', minor);
        return minor;
      }
    }
  };
  /** What of a deposit is taken in the end. */
  const deposit = (): number => {
    decline('authorisation');
    if (draw.chance(0.3)) {
      move('charge', asked);
      pass(minute, 5 * day);
      if (draw.chance(0.6)) return asked;
      move('return', asked);
      return 0;
    }
    const first = draw.chance(0.8) ? asked : asked + draw.between(-Math.floor(asked / 2), asked);
    authorise(first);
    const more = draw.chance(0.3) ? partOf(asked) : 0;
    if (more > 0) authorise(more);
    // Now and then it takes more than it has reserved.
    return capture(first + more + (draw.chance(0.1) ? partOf(asked) : 0));
  };
  const run = (): void => afterwards(of === 'payment' ? payment() : deposit());
  return { run, reports, ends };
};

/** When messages arrive: some days late, some again, and those of some requests at one moment. */
const arrivals = (draw: Draw, reports: readonly { readonly at: number; readonly report: Report }[]) => {
  const late = (): number => (draw.chance(0.15) ? draw.between(minute, 9 * day) : draw.between(1, 2 * minute));
  const all = reports.flatMap(({ at, report }) => [
    { at: at + late(), report },
    ...(draw.chance(0.15) ? [{ at: at + late(), report }] : []),
  ]);
  if (!draw.chance(0.15)) return all;
  const last = Math.max(...all.map(({ at }) => at));
  return all.map(({ report }, nth) => ({ at: last + (nth < 10 ? 0 : nth), report }));
};

/**
 * A payment processor with books of its own, and with at least so many reports about payments and deposits. It
 * declines, retries under one reference, returns debits, takes too little, too much and several times, loses and wins
 * chargebacks. Its reports come twice, in any order, days late, and up to ten at one moment.
 */
export const createProcessor = (
  { seed, reports: wanted }: { seed: number; reports: number },
  begin: number,
): Processor => {
  const draw = createDraw(seed);
  const requests: Asked[] = [];
  const movements = new Map<string, Movement>();
  const stages: (Stage & { readonly request: number })[] = [];
  const ends = new Map<string, number>();
  const arriving: { readonly at: number; readonly report: Report }[] = [];
  while (arriving.length < wanted) {
    const currency = draw.one(currencies);
    const asked: Asked = {
      of: draw.one(['payment', 'payment', 'deposit']),
      account: draw.between(0, 1),
      minor: draw.between(2, 900 * minorUnits[currency]),
      currency,
      isCancelled: draw.chance(0.05),
    };
    const story = createStory(draw, requests.length, asked, begin + requests.length * minute);
    requests.push(asked);
    story.run();
    for (const { report } of story.reports) {
      if (report.movement) movements.set(report.movement.id, report.movement);
      if (report.stage) stages.push({ ...report.stage, request: report.request });
    }
    for (const [id, end] of story.ends) ends.set(id, end);
    arriving.push(...arrivals(draw, story.reports));
  }
  const rounds = [...Map.groupBy(arriving, ({ at }) => at)]
    .sort(([a], [b]) => a - b)
    .map(([at, together]) => ({ at, reports: together.map(({ report }) => report) }));
  return { requests, movements, stages, ends, rounds };
};
