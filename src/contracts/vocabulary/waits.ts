/** Words of each wait for a time, by the field that has it. Its meaning is in `core/mission/resolve/waits.ts`. */
export const waitWords = {
  goes_on_at: {
    /** After the name of the task. */
    stands: 'waits',
    /** Before its name, as a heading. */
    heading: 'Wait for the provider of',
    /** Between its name and the time, where a line says how the mission stands. */
    headline: 'waits for its provider and goes on by itself at',
    /** Around the time, and the same while no process runs the mission. */
    until: ['It goes on by itself at ', ', as the approved plan says.'],
    unowned: ['It goes on by itself from ', ' on, once a person resumes the mission.'],
  },
} as const;

export type WaitName = keyof typeof waitWords;
type WaitWords = (typeof waitWords)[WaitName];

/** When the wait of a blocked task is over; absent: it waits for no time. */
export type WaitTimes = { readonly [Name in WaitName]?: string };

/** Returns the wait of a block for a time, with its words; null: it waits for a person. */
export function shownWait(block: WaitTimes): { readonly at: string; readonly words: WaitWords } | null {
  for (const name of Object.keys(waitWords) as WaitName[]) {
    const at = block[name];
    if (at !== undefined) return { at, words: waitWords[name] };
  }
  return null;
}
