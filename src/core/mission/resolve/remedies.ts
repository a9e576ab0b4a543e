import { utcText } from '../../../base/text/amounts';
import type { ReasonCategory } from '../../../contracts/vocabulary/codes/codes';
import type { BlockFacts } from './blockFacts';
import {
  retry,
  validate,
  resume,
  revision,
  writes,
  opening,
  openings,
  accept,
  quietCheck,
  note,
  again,
  repeatStep,
  repeat,
  inPlace,
  moreTime,
  asMuchAgain,
  raised,
  without,
  type Remedy,
} from './remedySteps';

interface Row {
  /** What blocked, as a person says it; the guide lists the rows by it. */
  readonly what: string;
  readonly when: (block: BlockFacts) => boolean;
  /** What helps, the likeliest first. */
  readonly remedies: (block: BlockFacts) => readonly Remedy[];
}

const inCategory =
  (...categories: readonly ReasonCategory[]) =>
  ({ category }: BlockFacts): boolean =>
    categories.includes(category);

/** The rows in order: the first that fits says what helps. The last ones fit by their category alone. */
export const blockRows = {
  question: {
    what: 'It asks a question',
    when: ({ answers }) => answers.length > 0,
    // Which of several answers holds, only a person knows.
    remedies: ({ answers }) => answers.map((step) => ({ step, ...(answers.length > 1 && { hint: true as const }) })),
  },
  check_writes: {
    what: 'A check writes in the work',
    when: ({ changed_again, check_wrote }) => changed_again || check_wrote,
    remedies: (block) => [
      quietCheck(block),
      ...accept(block),
      ...(block.check_wrote ? [repeat(block, 'Let the check write below $TMPDIR alone first.')] : []),
    ],
  },
  changes: {
    what: 'Changes wait to be accepted or put back',
    when: ({ accept }) => accept !== null,
    remedies: (block) => [
      ...accept(block),
      {
        step: block.judgeable ? validate(block) : retry(block),
        first: `Put back what is listed${block.failed ? ', and mend what failed,' : ''} first.`,
      },
      ...(block.category === 'verify_changed_files' ? [quietCheck(block)] : []),
    ],
  },
  processes: {
    what: 'Its processes are not proven gone',
    when: ({ human_only }) => human_only === 'tree_not_gone',
    remedies: (block) => again(block, 'End the processes that are named first.'),
  },
  stopped: {
    what: 'A person stopped it',
    when: ({ human_only }) => human_only === 'stopped_by_human',
    remedies: (block) => [{ step: retry(block), differs: 'Nothing failed.' }],
  },
  accepted: {
    what: 'What blocked it is accepted',
    when: ({ accepted }) => accepted,
    remedies: (block) => [
      { step: block.judgeable ? validate(block) : retry(block), differs: 'What blocked it is accepted.' },
    ],
  },
  budget_alone: {
    what: 'It used up the budget of the mission by itself',
    when: ({ category, alone }) => category === 'budget_exceeded' && alone,
    remedies: (block) => raised(block, 'Raise execution.budget in it.'),
  },
  budget: {
    what: 'The budget of the mission is used up',
    when: inCategory('budget_exceeded'),
    remedies: asMuchAgain,
  },
  grant: {
    what: 'Its agent was denied a place that a person may grant',
    when: ({ grant }) => grant !== null,
    remedies: (block) => [
      {
        step: {
          command: 'grant',
          args: { mission: block.mission, task: block.task, place: block.grant ?? '.' },
        },
      },
      { step: resume(block), first: 'Mend the permission yourself first.' },
    ],
  },
  signed_out: {
    what: 'Its agent is not signed in',
    when: ({ signed_out }) => signed_out,
    remedies: (block) => [{ step: resume(block), first: 'Sign in with its CLI, or pass its key, first.' }],
  },
  denied: {
    what: 'Its agent was denied a place in the workspace',
    when: ({ category, denied }) => category === 'permission_recovery_exhausted' && denied !== null,
    remedies: (block) => [
      { step: writes(block, block.denied ?? '') },
      { step: resume(block), first: 'Mend what it was denied first.' },
    ],
  },
  permission: {
    what: 'Its agent was denied something that only you can mend',
    when: inCategory('permission_recovery_exhausted'),
    remedies: (block) => [{ step: resume(block), first: 'Mend what it was denied first.' }],
  },
  program: {
    what: 'Its program could not be started',
    when: ({ no_program }) => no_program,
    remedies: (block) => [
      { step: revision(block), first: 'Name in it a program that starts.' },
      repeat(block, 'Mend what keeps the program from starting first.'),
    ],
  },
  missed: {
    what: 'It missed what its own command line names',
    when: ({ missed }) => missed.some(({ named }) => named),
    remedies: (block) => [
      ...openings(block, true).map((step) => ({ step })),
      repeat(block, 'See that it is there, or let the command do without it, first.'),
    ],
  },
  link: {
    what: 'It may have met a hard link to a file outside',
    when: ({ held_back }) => held_back === 'link',
    remedies: (block) => [repeat(block, 'Mend what made it fail first.')],
  },
  edge: {
    what: 'Its sandbox may have refused a write',
    when: ({ held_back }) => held_back === 'write',
    remedies: (block) => [
      repeat(block, 'Let it write in its approved paths or below $TMPDIR first.'),
      { step: revision(block), first: 'Name in it what it has to write in the workspace.' },
    ],
  },
  mount: {
    what: 'It may have replaced or left an approved folder, which its sandbox mounts',
    when: ({ held_back }) => held_back === 'mount',
    remedies: (block) => [
      { step: { command: 'plan revise', args: { mission: block.mission, edit: { kind: 'layers' } } } },
      ...inPlace(block),
    ],
  },
  folder: {
    what: 'It may have replaced or left an approved folder, where no layers can be mounted',
    when: ({ held_back }) => held_back === 'folder',
    remedies: (block) => [...inPlace(block), { step: revision(block), first: 'Approve the folder around it in it.' }],
  },
  apart: {
    what: 'It may have renamed between places that lie apart in its sandbox',
    when: ({ held_back }) => held_back === 'apart',
    remedies: (block) => [
      repeat(block, 'Let it make the temporary file beside its target, or copy instead of renaming, first.'),
      { step: revision(block), first: 'Let its command line do so in it.' },
    ],
  },
  sealed: {
    what: 'It may have met a place that stays read-only',
    when: ({ held_back }) => held_back === 'sealed',
    remedies: (block) => {
      const out = { step: revision(block), first: 'Take out of it what writes there, such as a commit.' };
      const mended = repeat(
        block,
        'Let it write below $TMPDIR, and leave commits to yourself after the mission, first.',
      );
      return [...(block.runs_git ? [out, mended] : [mended, out]), ...note(block)];
    },
  },
  stray: {
    what: 'It wrote outside its approved paths, and that was not kept',
    when: ({ category, doubtful }) => category === 'stray_write' || doubtful,
    remedies: (block) => [
      { step: validate(block), first: 'Look whether the work is right without it first.' },
      ...opening(block),
      ...note(block),
      { step: retry(block), first: 'Let it leave these places alone first.' },
    ],
  },
  layer_gone: {
    what: 'The layer that held its work is not there',
    when: ({ work_gone }) => work_gone,
    remedies: (block) => [{ step: retry(block), differs: 'It does the work anew.' }],
  },
  layer: {
    what: 'Not all that it wrote could be taken over from its layer',
    when: inCategory('layer_unread'),
    remedies: (block) => [
      { step: validate(block), first: 'Look what is missing in the workspace, and put it there yourself, first.' },
      { step: retry(block), first: 'Mend what the sentence names first.' },
    ],
  },
  overwritten: {
    what: 'Something else changed what it wrote in its approved paths',
    when: ({ overwritten }) => overwritten,
    remedies: (block) => again(block, 'See that nothing else changes these files first.'),
  },
  breach: {
    what: 'It was stopped at a write outside its approved paths',
    when: ({ breach }) => breach !== null,
    remedies: (block) => [
      { step: writes(block, block.breach ?? '') },
      ...note(block),
      { step: retry(block), first: 'Write a note that it leaves that place alone first.' },
    ],
  },
  silent_check: {
    what: 'A check did nothing until its time limit ended it',
    when: ({ silent_check, time_given }) => silent_check && !time_given,
    remedies: (block) => [
      { step: revision(block), first: 'Let the check end by itself in it, without a watch mode.' },
      ...moreTime(block),
      repeat(block, 'Let the check end by itself first.'),
    ],
  },
  time: {
    what: 'A time limit ended it',
    when: ({ more_time }) => more_time !== null,
    remedies: (block) => [...moreTime(block), repeat(block, 'Give it more time, or mend what took so long, first.')],
  },
  time_given: {
    what: 'A time limit ended it, and was raised since',
    when: ({ time_given }) => time_given,
    remedies: (block) => [{ step: repeatStep(block), differs: 'It has more time now.' }],
  },
  time_at_most: {
    what: 'It took the longest time that a plan allows',
    when: inCategory('task_timeout'),
    remedies: (block) => again(block, 'Mend what made it fail first.'),
  },
  nothing_changed: {
    what: 'It changed nothing, and nothing verifies it',
    when: ({ changed_nothing }) => changed_nothing,
    remedies: (block) =>
      block.is_command
        ? [{ step: revision(block) }, ...again(block, 'Change what the command reads first.')]
        : [...note(block), ...again(block, 'Write a note that says what it missed first.')],
  },
  check: {
    what: 'It failed its verification',
    when: inCategory('verification_failed'),
    remedies: (block) => {
      const where = block.waits ? ' outside its approved paths' : '';
      const judged: Remedy = { step: validate(block), first: `Mend what the check found${where} first.` };
      const anew: Remedy = block.is_command
        ? { step: retry(block), first: 'Mend what the command reads first.' }
        : { step: retry(block), differs: 'Its agent reads what did not hold.' };
      return block.waits ? [...note(block), anew, judged] : [judged, ...note(block), anew];
    },
  },
  limit: {
    what: 'A limit of its provider is used up',
    when: inCategory('rate_limited'),
    remedies: (block) =>
      again(
        block,
        `Wait until the limit ends${block.limit_ends === null ? '' : ` (${utcText(block.limit_ends)})`} first.`,
      ),
  },
  no_project: {
    what: 'ai.project.json is missing',
    when: ({ no_project }) => no_project,
    remedies: (block) => [
      { step: { command: 'context new', args: {} } },
      ...again(block, 'Create ai.project.json first.'),
    ],
  },
  project: {
    what: 'ai.project.json, or what a task is given, is not usable',
    when: inCategory('project_context'),
    remedies: (block) => [
      { step: validate(block), first: 'Mend what made it fail first.' },
      ...again(block, 'Mend what made it fail first.'),
    ],
  },
  provider: {
    what: 'Its agent would talk to another provider than approved',
    when: ({ refused }) => refused === 'PROVIDER_CHANGED',
    remedies: (block) => [
      {
        step: revision(block),
        first: 'Approve it with the options of the run, because its approval shows the provider of now.',
      },
      ...again(block, 'Put the configuration of the agent back first.'),
    ],
  },
  unseen: {
    what: 'Its work waits in a layer, which no check can be shown now',
    when: ({ refused }) => refused === 'WORK_UNSEEN',
    remedies: (block) => [
      { step: validate(block), first: 'Mend what the sentence names first.' },
      { step: retry(block), first: 'Give up what waits in the layer first.' },
    ],
  },
  launch: {
    what: 'It could not be started',
    when: inCategory('launch_failed', 'assignment_refused'),
    remedies: (block) => again(block, 'Mend what made it fail first.'),
  },
  model: {
    what: 'No model could be selected',
    when: inCategory('model_refused'),
    remedies: (block) => again(block, 'Change the model policy or the settings first.'),
  },
  profile_alone: {
    what: 'One attempt used up its capability profile',
    when: ({ category, alone }) => category === 'profile_limit' && alone,
    remedies: (block) => [
      { step: validate(block), first: 'Look at its result first.' },
      ...raised(block, 'Raise the limit of its profile in the model policy first.'),
    ],
  },
  profile: {
    what: 'Its capability profile is used up',
    when: inCategory('profile_limit'),
    remedies: asMuchAgain,
  },
  resources: {
    what: 'Its processes took more than they may',
    when: inCategory('resource_limit'),
    remedies: (block) => [
      { step: revision(block), first: 'Raise execution.limits in it.' },
      ...again(block, 'Let it take less first.'),
    ],
  },
  record: {
    what: 'Its run could not be recorded',
    when: inCategory('run_not_recorded'),
    remedies: (block) => again(block, 'Look at the space on its disk first.'),
  },
  milestone: {
    what: 'The validation of its milestone found what does not hold',
    when: ({ found_to_fail }) => found_to_fail,
    remedies: (block) => [
      { step: revision(block), first: 'Write the missing work into it.' },
      ...again(block, 'Repair what was found first.'),
    ],
  },
  report: {
    what: 'It left no result, or one that is not valid',
    when: inCategory(
      ...(['missing_handoff', 'invalid_handoff', 'missing_validation_report', 'untrusted_context'] as const),
      'validator_report_failed',
    ),
    remedies: (block) => [
      { step: retry(block), first: 'Look at its output first.' },
      ...note(block),
      { step: validate(block), first: 'Complete its result first.' },
    ],
  },
  waiting: {
    what: 'Nothing that it depends on can run',
    when: inCategory('no_runnable_pending_work', 'awaiting_user'),
    remedies: ({ mission, task, ...block }) => [
      { step: { command: 'skip', args: { mission, task } } },
      { step: revision({ mission, task, ...block }) },
    ],
  },
  failed: {
    what: 'Its command or agent failed',
    when: () => true,
    remedies: (block) => [{ step: retry(block), first: 'Mend what made it fail first.' }, ...note(block)],
  },
} satisfies Readonly<Record<string, Row>>;

export type BlockRow = keyof typeof blockRows;

export function rowOfBlock(block: BlockFacts): BlockRow {
  const names = Object.keys(blockRows) as readonly BlockRow[];
  return names.find((name) => blockRows[name].when(block)) ?? 'failed';
}

export function remediesOf(block: BlockFacts): readonly Remedy[] {
  const hints = openings(block, false);
  return [
    ...blockRows[rowOfBlock(block)].remedies(block),
    ...without(block),
    ...hints.map((step) => ({ step, first: 'Look whether its output says what is true first.', hint: true as const })),
  ];
}
