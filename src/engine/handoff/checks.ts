import type { ContractCode, RefusalCode } from '../../contracts/vocabulary/codes/codes';

/** Items of seed 003, in its words and order. */
const handoffCheckItems = {
  session_reset: [
    'Clear prior assumptions; do not rely on previous chat steps.',
    'Load handoff bundle and validate structure.',
    'Validate each assignment packet before dispatch.',
    'Validate each subagent result before integration.',
    'Run ledger reconciliation before closing tasks.',
  ],
  minimal_start: [
    'handoff bundle loaded',
    'schema version supported',
    'active locks conflict-free',
    'outstanding blockers enumerated',
    'next assignment packet validated',
  ],
} as const;

export type HandoffRefusalCode = RefusalCode | ContractCode;

/** The sentence that says whom the items are for, shown before them. */
export const quotedItems =
  'The items are quoted from a contract for agents. This command says after each what it found.';

/** One item; `result` is `not_reached` for those after the failed one. */
export interface HandoffCheck {
  readonly list: keyof typeof handoffCheckItems;
  readonly item: string;
  readonly result: 'passed' | 'failed' | 'not_reached';
  readonly code: HandoffRefusalCode | 'OK' | null;
  readonly detail: string;
}

export class HandoffChecks {
  readonly #found = new Map<string, HandoffCheck>();

  pass(list: HandoffCheck['list'], index: number, detail: string): void {
    this.#set(list, index, 'passed', 'OK', detail);
  }

  fail(list: HandoffCheck['list'], index: number, code: HandoffRefusalCode, detail: string): void {
    this.#set(list, index, 'failed', code, detail);
  }

  get all(): readonly HandoffCheck[] {
    return (['session_reset', 'minimal_start'] as const).flatMap((list) =>
      handoffCheckItems[list].map(
        (item, index): HandoffCheck =>
          this.#found.get(`${list}${index}`) ?? { list, item, result: 'not_reached', code: null, detail: '' },
      ),
    );
  }

  #set(
    list: HandoffCheck['list'],
    index: number,
    result: 'passed' | 'failed',
    code: HandoffRefusalCode | 'OK',
    detail: string,
  ): void {
    const item = handoffCheckItems[list][index] ?? '';
    const key = `${list}${index}`;
    if (this.#found.get(key)?.result === 'failed') return;
    this.#found.set(key, { list, item, result, code, detail });
  }
}
