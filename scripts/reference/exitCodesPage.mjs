// docs/reference/exit-codes.md: the exit codes of `mission`, and which refusals lead to which.
import { code, page, table } from './markdown.mjs';

/** The page, from the table of exit codes and the function that judges a refusal. */
export function exitCodesPage({ exitCodes, exitMeanings, exitOfRefusal, refusalMeanings }) {
  const lines = Object.entries(exitCodes).map(([name, exit]) => [code(String(exit)), exitMeanings[name]]);
  const refused = Object.keys(refusalMeanings);
  const named = (exit) =>
    refused
      .filter((one) => exitOfRefusal(one) === exit)
      .map(code)
      .join(', ');
  return page('Exit codes', 'How a command of `mission` ends. The numbers are a stable interface.', [
    ...table(['exit code', 'meaning'], lines),
    '',
    'With exit code 3 the process ends, and the mission waits: [blocked missions](../guide/blocked.md).',
    '',
    '## Refusals',
    '',
    'A refused command exits with 2, except for these [codes](codes.md):',
    '',
    ...table(
      ['exit code', 'codes'],
      [exitCodes.failed, exitCodes.environment].map((exit) => [code(String(exit)), named(exit)]),
    ),
  ]);
}
