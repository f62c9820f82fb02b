/** What a person is told about one thing, about several, and what to do; empty: nothing. */
type AlertPhrases = readonly [one: string, several: string, advice: string];

/** The texts of alerts in a language. */
export interface AlertTexts {
  /** What stands for those that are not named. */
  readonly more: string;
  /** When the time is not known. */
  readonly soon: string;
  /** The last failure of one webhook: an event, its id and the outcome. */
  readonly lastFailure: string;
  /** By type, what needs a person most comes first. */
  readonly types: Readonly<Record<string, AlertPhrases>>;
}
