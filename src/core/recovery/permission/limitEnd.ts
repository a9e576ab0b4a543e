import { isoOfUnix } from '../../../base/unixTime';

/** When the limit of a provider ends, as far as its CLI says. */
export interface LimitEnd {
  /** ISO-8601, from a timestamp of the CLI; null: it gave none. */
  readonly at: string | null;
  /** The CLI's own words, such as `resets 8pm`: they say nothing of the day, so no time is made of them. */
  readonly said: string | null;
}

/** `resetsAt`: from a structured field, which counts before the text. */
export function limitEnd(text: string, resetsAt: string | null): LimitEnd {
  const stamp = /\blimit reached\|(\d{10})\b/.exec(text)?.[1];
  const [, day, minute] = /\bregain access on (\d{4}-\d\d-\d\d) at (\d\d:\d\d) UTC\b/.exec(text) ?? [];
  const regained = day === undefined ? NaN : Date.parse(`${day}T${minute ?? ''}:00Z`) / 1000;
  return {
    at: resetsAt ?? isoOfUnix(stamp === undefined ? (Number.isNaN(regained) ? null : regained) : Number(stamp)),
    said: said.exec(text)?.[0].trim() ?? null,
  };
}

/** `resets 4:10am (America/Sao_Paulo)`, `try again at 8:12 PM`, `reset after 3h12m5s`; `try again later` says no time. */
const said =
  /\b(?:[Rr]esets?|[Tt]ry again) (?:(?:at|on|in|after|tomorrow) ){0,2}(?=[\dA-Z])(?:[^.\n\]·∙|]|\.(?=\d)){1,80}/;
