/** A few steps, each a verb. `completionEvents` ticks a step when its command was used. */
export const walkthrough = {
  id: 'missionControl.start',
  title: 'Run your first mission',
  description: 'From a plan to verified evidence, without an account.',
  steps: [
    {
      id: 'plan',
      title: 'Write a plan',
      description:
        'A plan names its tasks, the paths each may write, and who performs them. The Problems panel checks it while you type.\n[New Plan](command:missionControl.newPlan)',
      media: { svg: 'media/walkthrough-plan.svg', altText: 'A plan file with a finding marked at its exact place' },
      completionEvents: ['onCommand:missionControl.newPlan'],
    },
    {
      id: 'approve',
      title: 'Approve its exact bytes',
      description:
        'Review shows every command line that will run, what each task may write, and what confines it. Your approval is bound to the hash of the file.\n[Approve Plan](command:missionControl.approvePlan)',
      media: { svg: 'media/walkthrough-approve.svg', altText: 'A plan with a seal that carries its hash' },
      completionEvents: ['onCommand:missionControl.approvePlan'],
    },
    {
      id: 'run',
      title: 'Run it and watch',
      description:
        'Each worker shows what it does in a terminal. Closing the window leaves it running; nothing is started twice.\n[Run Plan](command:missionControl.runPlan)',
      media: { svg: 'media/walkthrough-run.svg', altText: 'Tasks of a mission, one of them running in a terminal' },
      completionEvents: ['onCommand:missionControl.runPlan'],
    },
    {
      id: 'evidence',
      title: 'Read the evidence',
      description:
        'What was claimed, observed and verified stands in docs/ops/executions, readable and verifiable without this extension.\n[Open Evidence](command:missionControl.openEvidence)',
      media: { svg: 'media/walkthrough-evidence.svg', altText: 'Files of evidence, each with a digest' },
      completionEvents: ['onCommand:missionControl.openEvidence'],
    },
  ],
} as const;
