/** The samples that *Run Sample* and *Open Sample* write are plans with these names. */
export function sampleName(number: number): string {
  return `sample-${number}`;
}

export function isSample(planId: string): boolean {
  return /^sample-[1-9]\d*$/.test(planId);
}
