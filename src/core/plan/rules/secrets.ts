import { secretNames } from '../../../contracts/vocabulary/files/secretPatterns';
import { secretsIn } from '../../documents/secrets';
import { isObject, type JsonObject, pointerToken } from '../../../base/json';
import type { AddPlanFinding } from './judgedTask';

/** Warns only, because such a text may be none. A plan is committed in clear text. */
export function judgeSecretTexts(plan: JsonObject, report: AddPlanFinding): void {
  const texts = new Set<string>();
  eachText(plan, (text) => texts.add(text));
  // One search over all texts first, because nearly every plan holds no secret.
  if (secretsIn([...texts].join('\n')).length === 0) return;
  let reported = 0;
  eachText(plan, (text, place) => {
    const kinds = reported < mostReported ? secretsIn(text) : [];
    if (kinds.length === 0) return;
    reported += 1;
    const message = `This looks like a secret (${kinds.join(', ')}), and a plan is kept in clear text. Take it out, replace the key where it is valid, and name a variable in execution.env instead.`;
    report('SECRET_IN_PLAN', place.map((key) => `/${pointerToken(key)}`).join(''), message, 'warning');
  });
}

/**
 * Visits each text that may hold a secret, with the keys that lead to it; they count during the visit alone. A text
 * whose name says what it is, such as `"password": "..."`, has that field below it, by which a pattern recognises it.
 */
function eachText(plan: JsonObject, visit: (text: string, place: readonly string[]) => void): void {
  const place: string[] = [];
  const walk = (value: unknown, name: string): void => {
    if (typeof value === 'string') {
      if (secretNames.test(name)) visit(`${value}\n${JSON.stringify(name)}: ${JSON.stringify(value)}`, place);
      else if (value.length >= shortest) visit(value, place);
    } else if (place.length >= deepest) return;
    else if (Array.isArray(value))
      for (let index = 0; index < value.length; index++) walkInto(String(index), value[index], '');
    else if (isObject(value))
      // A secret in a field's name is reported at the object, because a pointer would repeat it.
      for (const key of Object.keys(value))
        if (key.length > 20 && secretsIn(key).length > 0) visit(key, place);
        else walkInto(key, value[key], key);
  };
  const walkInto = (key: string, value: unknown, name: string): void => {
    place.push(key);
    walk(value, name);
    place.pop();
  };
  walk(plan, '');
}

const mostReported = 100;
const deepest = 64;
/** The characters of `://a:bcd@`; no pattern matches a text with less. */
const shortest = 9;
